package dev.semel.query.pipeline;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code $fill}, which is other words for a {@code $setWindowFields} and an {@code $addFields}. */
final class Fill {
    private static final String NAME = "$fill";

    private final BsonWriter windows = new BsonWriter();
    private final BsonWriter values = new BsonWriter();
    private boolean hasWindows;
    private boolean hasValues;

    private Fill() {}

    static List<RawDocument> stages(Value specification) {
        IdlOptions options = IdlOptions.ofStage(
                NAME,
                specification,
                "The %s stage specification must be an object, found %s",
                Set.of("partitionBy", "partitionByFields", "sortBy", "output"));
        RawDocument sortBy = options.document("sortBy");
        List<String> partitionByFields = options.strings("partitionByFields");
        Value partitionBy = options.value("partitionBy");
        if (partitionBy != null && !(partitionBy instanceof Value.Doc) && !(partitionBy instanceof Value.Str)) {
            throw new CommandException(
                    ErrorCode.TypeMismatch,
                    "BSON field '$fill.partitionBy' is the wrong type '%s', expected types '[string, object]'",
                    partitionBy.type().alias());
        }
        RawDocument output = options.requiredDocument("output");
        if (output.isEmpty()) {
            throw wrong(6050203, "The output field in '$fill' must contain an object with at least one element");
        }
        Fill fill = new Fill();
        output.forEach(fill::field);
        if (partitionBy != null && partitionByFields != null) {
            throw wrong(6050204, "Maximum one of 'partitionBy' and 'partitionByFields can be specified in '$fill'");
        }
        return fill.stages(sortBy, partitionByFields == null ? partitionBy : key(partitionByFields));
    }

    private static Value key(List<String> fields) {
        BsonWriter key = new BsonWriter();
        fields.forEach(field -> key.put(field, "$" + field));
        return Value.of(key.finish());
    }

    private void field(Element field) {
        if (!(field.value() instanceof Value.Doc(RawDocument given))) {
            throw wrong(6050200, "Each fill output specification must be an object with exactly one field");
        }
        IdlOptions options = IdlOptions.of(NAME, given, Set.of("method", "value"));
        String method = options.string("method");
        Value value = options.value("value");
        String reference = "$" + field.name();
        if (method != null) {
            if (value != null) {
                throw wrong(
                        6050201,
                        "Each fill output specification must have exactly one of 'method' or 'value' fields, not both");
            }
            String function = switch (method) {
                case "locf" -> "$locf";
                case "linear" -> "$linearFill";
                default -> throw wrong(6050202, "Method must be either locf or linear");
            };
            hasWindows = true;
            windows.put(field.name(), new BsonWriter().put(function, reference).finish());
        }
        if (value != null) {
            hasValues = true;
            values.put(
                    field.name(),
                    new BsonWriter()
                            .startArray("$ifNull")
                            .add(Value.of(reference))
                            .add(value)
                            .end()
                            .finish());
        }
    }

    private List<RawDocument> stages(@Nullable RawDocument sortBy, @Nullable Value partitionBy) {
        List<RawDocument> stages = new ArrayList<>();
        if (hasWindows) {
            BsonWriter window = new BsonWriter().put("output", windows.finish());
            if (sortBy != null) {
                window.put("sortBy", sortBy);
            }
            if (partitionBy != null) {
                window.put("partitionBy", partitionBy);
            }
            stages.add(
                    new BsonWriter().put(SetWindowFields.NAME, window.finish()).finish());
        }
        if (hasValues) {
            stages.add(new BsonWriter().put("$addFields", values.finish()).finish());
        }
        return stages;
    }

    private static CommandException wrong(int code, String message) {
        return new CommandException(ErrorCode.location(code), message);
    }
}

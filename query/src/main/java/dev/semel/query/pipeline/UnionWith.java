package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.query.filter.FilterScope;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code $unionWith}: after the documents those of another collection. */
public record UnionWith(Foreign foreign) implements Stage {
    private static final String NAME = "$unionWith";

    static Stage parse(String name, Value specification, FilterScope scope, Others others) {
        String collection = null;
        List<RawDocument> pipeline = List.of();
        switch (specification) {
            case Value.Str(Text text) -> collection = text.toString();
            case Value.Doc(RawDocument options) -> {
                for (Element option : options) {
                    switch (option.name()) {
                        case "coll" -> collection = string(option.value());
                        case "pipeline" -> pipeline = Foreign.pipeline(NAME, option.value());
                        default ->
                            throw new CommandException(
                                    ErrorCode.IDLUnknownField,
                                    "BSON field '%s.%s' is an unknown field.",
                                    NAME,
                                    option.name());
                    }
                }
            }
            default ->
                throw new CommandException(
                        ErrorCode.FailedToParse,
                        "the $unionWith stage specification must be an object or string, but found %s",
                        specification.type().alias());
        }
        if (collection == null && !Foreign.bringsDocuments(pipeline)) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    "$unionWith stage without explicit collection must have a pipeline with $documents as first stage");
        }
        Subpipelines.refuseWrites(pipeline, NAME, 31441);
        return new UnionWith(Foreign.of(collection, pipeline, scope, scope, others));
    }

    private static String string(Value value) {
        if (!(value instanceof Value.Str(Text text))) {
            throw new CommandException(
                    ErrorCode.TypeMismatch,
                    "BSON field '$unionWith.coll' is the wrong type '%s', expected type 'string'",
                    value.type().alias());
        }
        return text.toString();
    }

    @Override
    public Source open(Source in, Execution execution) {
        return new Source() {
            private @Nullable Source second;

            @Override
            public @Nullable RawDocument next() {
                if (second == null) {
                    RawDocument document = in.next();
                    if (document != null) {
                        return document;
                    }
                    execution.environment().metadata(RawDocument.EMPTY);
                    second = foreign.open(null, execution);
                }
                return second.next();
            }

            @Override
            public void close() {
                // What the documents are read in is closed with the first of them.
                if (second != null) {
                    second.close();
                }
                in.close();
            }
        };
    }

    @Override
    public boolean collectFields(FieldSet into) {
        return false;
    }
}

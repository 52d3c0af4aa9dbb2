package dev.semel.query.pipeline;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a stage that MongoDB describes in its interface language, which have the same errors everywhere: one that is
 * unknown, there twice, missing or of the wrong type is named with the path to it.
 */
record IdlOptions(String path, RawDocument fields) {
    /** Checks the names of the fields. */
    static IdlOptions of(String path, RawDocument fields, Set<String> known) {
        Set<String> seen = new HashSet<>();
        for (Element field : fields) {
            if (!known.contains(field.name())) {
                throw new CommandException(
                        ErrorCode.IDLUnknownField, "BSON field '%s.%s' is an unknown field.", path, field.name());
            }
            if (!seen.add(field.name())) {
                throw new CommandException(
                        ErrorCode.IDLDuplicateField, "BSON field '%s.%s' is a duplicate field", path, field.name());
            }
        }
        return new IdlOptions(path, fields);
    }

    /** The options of a stage, which must be an object. */
    static IdlOptions ofStage(String stage, Value specification, String message, Set<String> known) {
        if (!(specification instanceof Value.Doc(RawDocument fields))) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    message,
                    stage,
                    specification.type().alias());
        }
        return of(stage, fields, known);
    }

    @Nullable
    Value value(String name) {
        return fields.get(name);
    }

    Value required(String name) {
        Value value = fields.get(name);
        if (value == null) {
            throw new CommandException(
                    ErrorCode.IDLFailedToParse, "BSON field '%s.%s' is missing but a required field", path, name);
        }
        return value;
    }

    @Nullable
    RawDocument document(String name) {
        return switch (fields.get(name)) {
            case null -> null;
            case Value.Doc(RawDocument document) -> document;
            case Value other -> throw wrongType(name, other, BsonType.DOCUMENT);
        };
    }

    RawDocument requiredDocument(String name) {
        required(name);
        RawDocument document = document(name);
        return document == null ? RawDocument.EMPTY : document;
    }

    @Nullable
    String string(String name) {
        return switch (fields.get(name)) {
            case null -> null;
            case Value.Str(Text text) -> text.toString();
            case Value other -> throw wrongType(name, other, BsonType.STRING);
        };
    }

    String requiredString(String name) {
        required(name);
        String string = string(name);
        return string == null ? "" : string;
    }

    /** The elements of an array of strings. */
    @Nullable
    List<String> strings(String name) {
        Value value = fields.get(name);
        if (value == null) {
            return null;
        }
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw wrongType(name, value, BsonType.ARRAY);
        }
        List<String> strings = new ArrayList<>();
        for (Element element : elements) {
            if (!(element.value() instanceof Value.Str(Text text))) {
                throw wrongType(name + "." + element.name(), element.value(), BsonType.STRING);
            }
            strings.add(text.toString());
        }
        return List.copyOf(strings);
    }

    private CommandException wrongType(String name, Value value, BsonType expected) {
        return new CommandException(
                ErrorCode.TypeMismatch,
                "BSON field '%s.%s' is the wrong type '%s', expected type '%s'",
                path,
                name,
                value.type().alias(),
                expected.alias());
    }
}

package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a command, or of a document inside it such as one statement of an update. Each is asked for by name and
 * type; what is missing or of another type is refused with the field's full name, and what nobody asked for is refused
 * by {@link #refuseUnknown}. So a command declares its fields by reading them.
 */
public final class Arguments {
    private final String path;
    private final String database;
    private final RawDocument document;
    private final Sequences sequences;
    private final Set<String> known = new HashSet<>();

    /** The document sequences that came beside a command's body. */
    public interface Sequences {
        Sequences NONE = name -> null;

        /** The documents under this name, or null if there is no such sequence. */
        @Nullable
        List<RawDocument> named(String name);
    }

    /** The command itself: {@code path} is its name, by which messages call it. */
    public Arguments(String path, String database, RawDocument document, Sequences sequences) {
        this.path = path;
        this.database = database;
        this.document = document;
        this.sequences = sequences;
    }

    public String database() {
        return database;
    }

    public RawDocument document() {
        return document;
    }

    /** The collection that the command names in its first field, in this command's database. */
    public Namespace collection(String field) {
        Value value = required(field);
        if (!(value instanceof Value.Str(Text name))) {
            throw new CommandException(ErrorCode.InvalidNamespace, "collection name has invalid type %s", value.type());
        }
        return namespace(database, name.toString());
    }

    /** Checks both names against MongoDB's rules; 73 InvalidNamespace otherwise. */
    public static Namespace namespace(String database, String collection) {
        if (collection.isEmpty()
                || collection.startsWith(".")
                || collection.endsWith(".")
                || collection.indexOf('\0') >= 0) {
            throw new CommandException(
                    ErrorCode.InvalidNamespace, "Invalid namespace specified '%s.%s'", database, collection);
        }
        return new Namespace(database, collection);
    }

    // ---- any value

    /** The field's value; null if it is absent or null. */
    public @Nullable Value optional(String field) {
        known.add(field);
        Value value = document.get(field);
        return Value.NULL.equals(value) ? null : value;
    }

    public Value required(String field) {
        Value value = optional(field);
        if (value == null) {
            throw new CommandException(
                    ErrorCode.IDLFailedToParse, "BSON field '%s.%s' is missing but a required field", path, field);
        }
        return value;
    }

    // ---- typed values

    public boolean has(String field) {
        return optional(field) != null;
    }

    /** Booleans, and numbers as MongoDB's lenient flags take them: anything but zero is true. */
    public boolean bool(String field, boolean otherwise) {
        return switch (optional(field)) {
            case null -> otherwise;
            case Value.Bool(boolean value) -> value;
            case Value.Int32(int value) -> value != 0;
            case Value.Int64(long value) -> value != 0;
            case Value.Double64(double value) -> value != 0;
            case Value other -> throw wrongType(field, other, "'[bool, long, int, decimal, double]'");
        };
    }

    public @Nullable String string(String field) {
        return switch (optional(field)) {
            case null -> null;
            case Value.Str(Text text) -> text.toString();
            case Value other -> throw wrongType(field, other, "'string'");
        };
    }

    public String requiredString(String field) {
        required(field);
        String string = string(field);
        return string == null ? "" : string;
    }

    /** An empty document if the field is absent. */
    public RawDocument documentOrEmpty(String field) {
        RawDocument value = optionalDocument(field);
        return value == null ? RawDocument.EMPTY : value;
    }

    public @Nullable RawDocument optionalDocument(String field) {
        return switch (optional(field)) {
            case null -> null;
            case Value.Doc(RawDocument value) -> value;
            case Value other -> throw wrongType(field, other, "'object'");
        };
    }

    public RawDocument requiredDocument(String field) {
        required(field);
        return documentOrEmpty(field);
    }

    /** A whole number of any numeric type; a fraction is cut off, as MongoDB does. */
    public long integer(String field, long otherwise) {
        return switch (optional(field)) {
            case null -> otherwise;
            case Value.Int32(int value) -> value;
            case Value.Int64(long value) -> value;
            case Value.Double64(double value) -> (long) value;
            case Value.Decimal(var value) ->
                value.isFinite()
                        ? value.toBigDecimal().setScale(0, RoundingMode.DOWN).longValue()
                        : 0;
            case Value other -> throw wrongType(field, other, "'[long, int, decimal, double]'");
        };
    }

    /** The same, where a negative number is 51024 BadValue. */
    public long nonNegative(String field, long otherwise) {
        long value = integer(field, otherwise);
        if (value < 0 && has(field)) {
            throw new CommandException(
                    ErrorCode.location(51024), "BSON field '%s' value must be >= 0, actual value '%d'", field, value);
        }
        return value;
    }

    /** The values of an array; empty if the field is absent. */
    public List<Value> array(String field) {
        return switch (optional(field)) {
            case null -> List.of();
            case Value.Array(RawDocument elements) -> {
                List<Value> values = new ArrayList<>();
                for (var at = elements.cursor(); at.next(); ) {
                    values.add(at.value());
                }
                yield values;
            }
            case Value other -> throw wrongType(field, other, "'array'");
        };
    }

    /** Documents from an array in the body or from a document sequence beside it. */
    public List<RawDocument> documents(String field) {
        known.add(field);
        List<RawDocument> sequence = sequences.named(field);
        if (sequence != null) {
            return sequence;
        }
        required(field);
        List<RawDocument> documents = new ArrayList<>();
        for (Value value : array(field)) {
            if (!(value instanceof Value.Doc(RawDocument each))) {
                throw wrongType(field + "." + documents.size(), value, "'object'");
            }
            documents.add(each);
        }
        return documents;
    }

    /** A document inside this one, whose own fields are to be read one by one: call its {@link #refuseUnknown} too. */
    public Arguments inner(String field, RawDocument inner) {
        return new Arguments(path + "." + field, database, inner, Sequences.NONE);
    }

    // ---- what is refused

    /** A field that is read and deliberately without effect, because MongoDB documents it as ignored. */
    public Arguments ignored(String... fields) {
        known.addAll(List.of(fields));
        return this;
    }

    /** A field of MongoDB's that is not honoured here: present, it is refused by name, 238 NotImplemented. */
    public Arguments notHonoured(String... fields) {
        for (String field : fields) {
            if (optional(field) != null) {
                throw new CommandException(ErrorCode.NotImplemented, "'%s.%s' is not supported", path, field);
            }
        }
        return this;
    }

    /** The end of parsing: a field that nobody asked for is 40415. */
    public void refuseUnknown() {
        for (var at = document.cursor(); at.next(); ) {
            String name = at.name();
            if (!known.contains(name)) {
                throw new CommandException(
                        ErrorCode.IDLUnknownField, "BSON field '%s.%s' is an unknown field.", path, name);
            }
        }
    }

    private CommandException wrongType(String field, Value found, String expected) {
        BsonType type = found.type();
        return new CommandException(
                ErrorCode.TypeMismatch,
                "BSON field '%s.%s' is the wrong type '%s', expected type%s %s",
                path,
                field,
                type,
                expected.startsWith("'[") ? "s" : "",
                expected);
    }
}

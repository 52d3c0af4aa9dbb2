package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a command, or of a document inside it such as one statement of an update. Each is read by name and
 * type; what is missing or of another type is refused with the field's full name, and fields that were not read are refused
 * by {@link #refuseUnknown}. So a command declares its fields by reading them.
 *
 * <p>Absent, null and undefined are one: MongoDB's parser skips optional fields that are null. A command reads some
 * twenty names and gets five, so the elements are found once, by position, and a lookup costs a few comparisons
 * of lengths and no allocation.
 */
public final class Arguments {
    /** Per element: where it starts (its type byte) and where its name ends (the zero byte). */
    private static final int SLOTS = 2;

    private final String path;
    private final String database;
    private final RawDocument document;
    private final Sequences sequences;
    private final boolean isCommand;
    private final byte[] bytes;
    private int[] elements = new int[8 * SLOTS];
    private int count;
    private boolean[] known;
    private List<String> knownSequences = List.of();
    private List<String[]> ignored = List.of();
    private boolean ignoresOthers;

    /** The document sequences that came beside a command's body. */
    public interface Sequences {
        Sequences NONE = new Sequences() {
            @Override
            public @Nullable List<RawDocument> named(String name) {
                return null;
            }

            @Override
            public List<String> names() {
                return List.of();
            }
        };

        /** The documents under this name, or null if there is no such sequence. */
        @Nullable
        List<RawDocument> named(String name);

        List<String> names();
    }

    /**
     * The command itself: {@code path} is its name, by which messages call it and under which its first field is found,
     * even if the client wrote an alias.
     */
    public Arguments(String path, String database, RawDocument document, Sequences sequences) {
        this(path, database, document, sequences, true);
    }

    /** The options of a stage of a pipeline. */
    public static Arguments ofStage(String name, String database, RawDocument options) {
        return new Arguments(name, database, options, Sequences.NONE, false);
    }

    /** A document that belongs to no command, such as the configuration of a replica set. */
    public static Arguments ofDocument(String name, RawDocument document) {
        return new Arguments(name, "", document, Sequences.NONE, false);
    }

    private Arguments(String path, String database, RawDocument document, Sequences sequences, boolean isCommand) {
        this.path = path;
        this.database = database;
        this.document = document;
        this.sequences = sequences;
        this.isCommand = isCommand;
        this.bytes = document.array();
        for (ElementCursor at = document.cursor(); at.next(); ) {
            if (elements.length < (count + 1) * SLOTS) {
                elements = Arrays.copyOf(elements, elements.length * 2);
            }
            elements[count * SLOTS] = at.elementStart();
            elements[count * SLOTS + 1] = at.valueStart() - 1;
            count++;
        }
        known = new boolean[count];
        if (isCommand && count > 0) {
            known[0] = true;
        }
    }

    public String database() {
        return database;
    }

    public RawDocument document() {
        return document;
    }

    /** How messages call this document: the command's name, with the path to an inner document behind it. */
    public String path() {
        return path;
    }

    /** The collection that the command names in its first field, in this command's database. */
    public Namespace collection(String field) {
        Value value = required(field);
        if (!(value instanceof Value.Str(Text name))) {
            throw new CommandException(
                    ErrorCode.InvalidNamespace,
                    "collection name has invalid type %s",
                    value.type().alias());
        }
        return namespace(database, name.toString());
    }

    /** Checks the collection's name against MongoDB's rules; 73 InvalidNamespace otherwise. */
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

    /** The field's value; null if it is absent, null or undefined. */
    public @Nullable Value optional(String field) {
        int index = find(field);
        if (index < 0) {
            return null;
        }
        known[index] = true;
        int nameEnd = elements[index * SLOTS + 1];
        byte type = bytes[elements[index * SLOTS]];
        return type == 0x0A || type == 0x06 ? null : ElementCursor.decode(bytes, type, nameEnd + 1);
    }

    public Value required(String field) {
        Value value = optional(field);
        if (value == null) {
            throw new CommandException(
                    ErrorCode.IDLFailedToParse, "BSON field '%s.%s' is missing but a required field", path, field);
        }
        return value;
    }

    /** Whether the field is there, null included; for the few fields where a null says something. */
    public boolean mentions(String field) {
        int index = find(field);
        if (index >= 0) {
            known[index] = true;
        }
        return index >= 0;
    }

    private int find(String field) {
        if (isCommand && field.equals(path)) {
            return count == 0 ? -1 : 0;
        }
        int length = field.length();
        for (int i = 0, at = 0; i < count; i++, at += SLOTS) {
            int name = elements[at] + 1;
            if (elements[at + 1] - name == length && nameIs(name, field)) {
                return i;
            }
        }
        return -1;
    }

    /** Names in the protocol are ASCII, so a byte is a character. */
    private boolean nameIs(int name, String field) {
        for (int i = field.length() - 1; i >= 0; i--) {
            if (bytes[name + i] != field.charAt(i)) {
                return false;
            }
        }
        return true;
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
            case Value.Decimal(var value) ->
                !value.isFinite() || value.toBigDecimal().signum() != 0;
            case Value other -> throw wrongType(field, other, "'[bool, long, int, decimal, double]'");
        };
    }

    /** Booleans and nothing else. */
    public boolean strictBool(String field, boolean otherwise) {
        return switch (optional(field)) {
            case null -> otherwise;
            case Value.Bool(boolean value) -> value;
            case Value other -> throw wrongType(field, other, "'bool'");
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

    /**
     * A whole number of any numeric type. A fraction is cut off, NaN is 0, what is too large becomes the largest: so
     * MongoDB reads its lenient numbers.
     */
    public long integer(String field, long otherwise) {
        Value value = optional(field);
        return value == null ? otherwise : integer(field, value);
    }

    public long requiredInteger(String field) {
        return integer(field, required(field));
    }

    private long integer(String field, Value number) {
        return switch (number) {
            case Value.Int32(int value) -> value;
            case Value.Int64(long value) -> value;
            case Value.Double64(double value) -> (long) value;
            case Value.Decimal(var value) ->
                value.isFinite() ? clamp(value.toBigDecimal()) : clamp(value.doubleValue());
            case Value other -> throw wrongType(field, other, "'[long, int, decimal, double]'");
        };
    }

    private static long clamp(double notFinite) {
        return (long) notFinite;
    }

    private static long clamp(BigDecimal number) {
        if (number.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) >= 0) {
            return Long.MAX_VALUE;
        }
        return number.compareTo(BigDecimal.valueOf(Long.MIN_VALUE)) <= 0 ? Long.MIN_VALUE : number.longValue();
    }

    /** The same, where a negative number is 51024 BadValue. */
    public long nonNegative(String field, long otherwise) {
        return atLeast(field, 0, otherwise);
    }

    /** The same, where a number below the least is 51024; the default need not obey. */
    public long atLeast(String field, long least, long otherwise) {
        Value value = optional(field);
        if (value == null) {
            return otherwise;
        }
        long number = integer(field, value);
        if (number < least) {
            throw new CommandException(
                    ErrorCode.location(51024),
                    "BSON field '%s' value must be >= %d, actual value '%d'",
                    field,
                    least,
                    number);
        }
        return number;
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
        List<RawDocument> sequence = sequences.named(field);
        if (sequence != null) {
            if (knownSequences.isEmpty()) {
                knownSequences = new ArrayList<>(2);
            }
            knownSequences.add(field);
            return sequence;
        }
        required(field);
        return optionalDocuments(field);
    }

    /** Documents of an array; empty if the field is absent. */
    public List<RawDocument> optionalDocuments(String field) {
        return switch (optional(field)) {
            case null -> List.of();
            case Value.Array(RawDocument elements) -> {
                List<RawDocument> documents = new ArrayList<>();
                for (var at = elements.cursor(); at.next(); ) {
                    if (at.type() != BsonType.DOCUMENT) {
                        throw wrongType(field + "." + documents.size(), at.value(), "'object'");
                    }
                    documents.add(RawDocument.view(at.array(), at.valueStart()));
                }
                yield documents;
            }
            case Value other -> throw wrongType(field, other, "'array'");
        };
    }

    /** A document inside this one, whose own fields are read one by one: call its {@link #refuseUnknown} too. */
    public Arguments inner(String field, RawDocument inner) {
        return new Arguments(path + "." + field, database, inner, Sequences.NONE, false);
    }

    /** The names that have not been read so far; for commands whose field names are data. */
    public List<String> unread() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (!known[i] && !isIgnored(i)) {
                names.add(nameOf(i));
            }
        }
        return names;
    }

    // ---- what is refused

    /**
     * Fields that are deliberately without effect, because MongoDB documents them as ignored. Rarely is one of them there,
     * so they are looked for only if there is a field that has not been read.
     */
    public Arguments ignored(String... fields) {
        if (ignored.isEmpty()) {
            ignored = new ArrayList<>(4);
        }
        ignored.add(fields);
        return this;
    }

    /** Whatever else is there: for the few commands that must work for clients from the future. */
    public Arguments ignoreOthers() {
        ignoresOthers = true;
        return this;
    }

    private boolean isIgnored(int index) {
        if (ignoresOthers) {
            return true;
        }
        int name = elements[index * SLOTS] + 1;
        int length = elements[index * SLOTS + 1] - name;
        for (String[] fields : ignored) {
            for (String field : fields) {
                if (field.length() == length && nameIs(name, field)) {
                    return true;
                }
            }
        }
        return false;
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

    /** The end of parsing: a field that was not read is 40415, the second one of a name 40413. */
    public void refuseUnknown() {
        for (int i = 0; i < count; i++) {
            if (!known[i] && (!isIgnored(i) || isRepeated(i))) {
                throw unknown(i);
            }
        }
        if (!sequences.equals(Sequences.NONE)) {
            refuseUnknownSequences();
        }
    }

    private CommandException unknown(int index) {
        String name = nameOf(index);
        return isRepeated(index)
                ? duplicate(name)
                : new CommandException(
                        ErrorCode.IDLUnknownField, "BSON field '%s.%s' is an unknown field.", path, name);
    }

    private boolean isRepeated(int index) {
        String name = nameOf(index);
        for (int i = 0; i < index; i++) {
            if (nameOf(i).equals(name)) {
                return true;
            }
        }
        return false;
    }

    private void refuseUnknownSequences() {
        for (String name : sequences.names()) {
            if (!knownSequences.contains(name)) {
                throw new CommandException(
                        ErrorCode.IDLUnknownField, "BSON field '%s.%s' is an unknown field.", path, name);
            }
            if (find(name) >= 0) {
                throw duplicate(name);
            }
        }
    }

    private CommandException duplicate(String name) {
        return new CommandException(ErrorCode.IDLDuplicateField, "BSON field '%s.%s' is a duplicate field", path, name);
    }

    private String nameOf(int index) {
        int name = elements[index * SLOTS] + 1;
        return new Text(bytes, name, elements[index * SLOTS + 1] - name).toString();
    }

    /** A value of a type that the field does not take; {@code expected} is quoted, a set of types in brackets. */
    public CommandException wrongType(String field, Value found, String expected) {
        return new CommandException(
                ErrorCode.TypeMismatch,
                "BSON field '%s.%s' is the wrong type '%s', expected type%s %s",
                path,
                field,
                found.type().alias(),
                expected.startsWith("'[") ? "s" : "",
                expected);
    }
}

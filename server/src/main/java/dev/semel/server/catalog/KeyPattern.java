package dev.semel.server.catalog;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * The key of an index, such as {@code {name: 1, "address.zip": -1}}: paths, each ascending or descending. The document
 * is kept as the client sent it, because clients see it again and name the index by it.
 */
public record KeyPattern(List<Field> fields, RawDocument document) {
    /** MongoDB's limit on the fields of one index. */
    static final int FIELDS_MAX = 32;

    public static final KeyPattern ID = new KeyPattern(List.of(new Field("_id", true)), idDocument());

    /** One path of a key and its direction. */
    public record Field(String path, boolean ascending) {}

    /** The pattern as MongoDB checks it; kinds of index that are not built here are refused by name. */
    static KeyPattern parse(RawDocument document) {
        if (document.isEmpty()) {
            throw cannotCreate("Index keys cannot be empty.");
        }
        List<Field> fields = new ArrayList<>();
        for (var element : document) {
            checkPath(element.name(), element.value());
            fields.add(new Field(element.name(), isAscending(element.value())));
        }
        if (fields.size() > FIELDS_MAX) {
            throw cannotCreate(
                    "Index key pattern too large: %d fields, at most %d are allowed", fields.size(), FIELDS_MAX);
        }
        if (fields.stream().map(Field::path).distinct().count() < fields.size()) {
            throw cannotCreate("Index key pattern %s names a field twice", Shell.text(document));
        }
        return new KeyPattern(List.copyOf(fields), document.detached());
    }

    /** One that names an index that may exist. */
    public static KeyPattern of(RawDocument document) {
        return parse(document);
    }

    private static void checkPath(String path, Value direction) {
        if (direction instanceof Value.Str(Text kind)) {
            throw refusedKind(path, kind.toString());
        }
        if (path.isEmpty()) {
            throw cannotCreate("Index keys cannot be an empty field.");
        }
        if (path.equals("$**") || path.endsWith(".$**")) {
            throw new CommandException(ErrorCode.NotImplemented, "wildcard index '%s' is not supported", path);
        }
        for (String part : path.split("\\.", -1)) {
            if (part.isEmpty()) {
                throw cannotCreate("Index keys cannot contain an empty field.");
            }
            if (part.startsWith("$") && !part.equals("$id") && !part.equals("$db") && !part.equals("$ref")) {
                throw cannotCreate("Index key contains an illegal field name: field name starts with '$'.");
            }
        }
    }

    private static boolean isAscending(Value direction) {
        double number = switch (direction) {
            case Value.Int32(int value) -> value;
            case Value.Int64(long value) -> value;
            case Value.Double64(double value) -> value;
            case Value.Decimal(Decimal128 value) ->
                value.isFinite() ? value.toBigDecimal().signum() : Double.NaN;
            default ->
                throw cannotCreate(
                        "Values in v:2 index key pattern cannot be of type %s. Only numbers > 0, numbers < 0,"
                                + " and strings are allowed.",
                        direction.type());
        };
        if (number == 0 || Double.isNaN(number)) {
            throw cannotCreate("Values in the index key pattern cannot be 0.");
        }
        return number > 0;
    }

    private static CommandException refusedKind(String path, String kind) {
        return switch (kind) {
            case "text", "2d", "2dsphere", "hashed", "wildcard", "columnstore" ->
                new CommandException(ErrorCode.NotImplemented, "%s index on '%s' is not supported", kind, path);
            default -> cannotCreate("Unknown index plugin '%s'", kind);
        };
    }

    private static CommandException cannotCreate(String format, Object... arguments) {
        return new CommandException(ErrorCode.CannotCreateIndex, format, arguments);
    }

    private static RawDocument idDocument() {
        return new BsonWriter(32).put("_id", 1).finish();
    }

    /** The name MongoDB's clients give by default: {@code name_1_address.zip_-1}. */
    String defaultName() {
        StringBuilder name = new StringBuilder();
        for (var element : document) {
            if (!name.isEmpty()) {
                name.append('_');
            }
            name.append(element.name())
                    .append('_')
                    .append(Shell.text(element.value()).replaceFirst("\\.0$", ""));
        }
        return name.toString();
    }

    /** Whether this is the pattern of the index that every collection has. */
    boolean isId() {
        return fields.size() == 1 && fields.getFirst().path().equals("_id");
    }

    /** The same paths in the same directions, whatever numbers say so. */
    boolean sameAs(KeyPattern other) {
        return fields.equals(other.fields);
    }

    @Override
    public String toString() {
        return Shell.text(document);
    }
}

package dev.semel.server.catalog;

import dev.semel.query.value.DottedPath;
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
 * The key of an index, such as {@code {name: 1, "address.zip": -1}}: paths, each with a direction
 * or a kind. The document is kept as the client sent it, because clients see it again and name the index by it.
 */
public record KeyPattern(List<Field> fields, RawDocument document) {
    /** MongoDB's limit on the fields of one index. */
    static final int FIELDS_MAX = 32;

    public static final KeyPattern ID =
            new KeyPattern(List.of(new Field("_id", IndexKind.ORDERED, true)), idDocument());

    /**
     * One path of a key.
     *
     * @param ascending also where the kind knows no direction
     */
    public record Field(String path, IndexKind kind, boolean ascending) {}

    /** The pattern as MongoDB checks it; kinds of index that are not built here are refused by name. */
    static KeyPattern parse(RawDocument document) {
        if (document.isEmpty()) {
            throw cannotCreate("Index keys cannot be empty.");
        }
        String plugin = plugin(document);
        IndexKind kind = kind(plugin);
        List<Field> fields = new ArrayList<>();
        for (var element : document) {
            fields.add(field(element.name(), element.value(), plugin, kind));
        }
        if (kind == IndexKind.TEXT && !TextPattern.isComplete(document)) {
            return parse(TextPattern.complete(document));
        }
        if (fields.size() > FIELDS_MAX) {
            throw cannotCreate(
                    "Index key pattern too large: %d fields, at most %d are allowed", fields.size(), FIELDS_MAX);
        }
        if (fields.stream().map(Field::path).distinct().count() < fields.size()) {
            throw cannotCreate("Index key pattern %s names a field twice", Shell.text(document));
        }
        KeyPattern pattern = new KeyPattern(List.copyOf(fields), document.detached());
        pattern.checkKind();
        return pattern;
    }

    /** The name of the index kind in a pattern; empty if all its fields are ordered. */
    private static String plugin(RawDocument document) {
        for (var element : document) {
            if (element.value() instanceof Value.Str(Text name)) {
                return name.toString();
            }
            if (isWildcard(element.name())) {
                return "wildcard";
            }
        }
        return "";
    }

    private static boolean isWildcard(String path) {
        return path.equals(WildcardPaths.ALL) || path.endsWith("." + WildcardPaths.ALL);
    }

    private static IndexKind kind(String plugin) {
        for (IndexKind kind : IndexKind.values()) {
            if (kind.isNamed(plugin)) {
                return kind;
            }
        }
        throw switch (plugin) {
            case "columnstore" ->
                new CommandException(ErrorCode.NotImplemented, "%s indexes are not supported", plugin);
            case "geoHaystack" -> cannotCreate("GeoHaystack indexes cannot be created in version 5.0 and above");
            default -> cannotCreate("Unknown index plugin '%s'", plugin);
        };
    }

    private static Field field(String path, Value value, String plugin, IndexKind kind) {
        if (!(value instanceof Value.Str(Text name))) {
            boolean ascending = isAscending(value);
            checkPath(path, kind);
            boolean wildcard = kind == IndexKind.WILDCARD && isWildcard(path);
            return new Field(path, wildcard ? IndexKind.WILDCARD : IndexKind.ORDERED, ascending);
        }
        if (!name.toString().equals(plugin)) {
            throw cannotCreate("Can't use more than one index plugin for a single index.");
        }
        if (kind == IndexKind.WILDCARD) {
            throw cannotCreate(
                    "The key pattern value for an 'wildcard' index must be a non-zero number, not a string.");
        }
        checkPath(path, kind);
        return new Field(path, kind, true);
    }

    private static void checkPath(String path, IndexKind kind) {
        if (path.isEmpty()) {
            throw cannotCreate("Index keys cannot be an empty field.");
        }
        String[] parts = DottedPath.split(path);
        for (int i = 0; i < parts.length; i++) {
            String part = parts[i];
            if (part.isEmpty()) {
                throw cannotCreate("Index keys cannot contain an empty field.");
            }
            boolean reference = i > 0 && (part.equals("$id") || part.equals("$db") || part.equals("$ref"));
            boolean ofText = kind == IndexKind.TEXT && path.equals(WildcardPaths.ALL);
            boolean wildcard =
                    ofText || (kind == IndexKind.WILDCARD && i == parts.length - 1 && part.equals(WildcardPaths.ALL));
            if (part.startsWith("$") && !reference && !wildcard) {
                throw cannotCreate("Index key contains an illegal field name: field name starts with '$'.");
            }
        }
    }

    private static boolean isAscending(Value direction) {
        double number = switch (direction) {
            case Value.Int32(int value) -> value;
            case Value.Int64(long value) -> value;
            case Value.Double64(double value) -> value;
            case Value.Decimal(Decimal128 value) -> value.doubleValue();
            default ->
                throw cannotCreate(
                        "Values in v:2 index key pattern cannot be of type %s. Only numbers > 0, numbers < 0,"
                                + " and strings are allowed.",
                        direction.type());
        };
        if (Double.isNaN(number)) {
            throw cannotCreate("Values in the index key pattern cannot be NaN.");
        }
        if (number == 0) {
            throw cannotCreate("Values in the index key pattern cannot be 0.");
        }
        return number > 0;
    }

    private void checkKind() {
        switch (kind()) {
            case ORDERED, SPHERE -> {}
            case TEXT -> TextPattern.check(document);
            case PLANE -> {
                if (count(IndexKind.PLANE) > 1) {
                    throw new CommandException(ErrorCode.location(16800), "can't have 2 geo fields");
                }
                if (fields.getFirst().kind() != IndexKind.PLANE) {
                    throw new CommandException(ErrorCode.location(16801), "2d has to be first in index");
                }
            }
            case HASHED -> {
                long hashed = count(IndexKind.HASHED);
                if (hashed > 1) {
                    throw new CommandException(
                            ErrorCode.location(31303),
                            "A maximum of one index field is allowed to be hashed but found %d for 'key' %s",
                            hashed,
                            this);
                }
            }
            case WILDCARD -> checkWildcard();
        }
    }

    private void checkWildcard() {
        List<String> wildcards = fields.stream()
                .filter(each -> each.kind() == IndexKind.WILDCARD)
                .map(Field::path)
                .toList();
        if (wildcards.size() > 1) {
            throw new CommandException(
                    ErrorCode.location(7246201), "Index Key can contain only one wildcard index field");
        }
        String wildcard = wildcards.getFirst();
        for (Field each : fields) {
            boolean below = !wildcard.equals(WildcardPaths.ALL)
                    && each.kind() == IndexKind.ORDERED
                    && WildcardPaths.isAbove(wildcard.substring(0, wildcard.length() - 4), each.path());
            if (below) {
                throw new CommandException(
                        ErrorCode.location(7246204),
                        "A wildcard index field should not overlap with and index key fields if wildcard projection is"
                                + " empty, however '%s' is overlapping with the wildcard index field.",
                        each.path());
            }
        }
    }

    private long count(IndexKind kind) {
        return fields.stream().filter(each -> each.kind() == kind).count();
    }

    private static CommandException cannotCreate(String format, Object... arguments) {
        return new CommandException(ErrorCode.CannotCreateIndex, format, arguments);
    }

    private static RawDocument idDocument() {
        return new BsonWriter(32).put("_id", 1).finish();
    }

    /** The kind of the index. */
    public IndexKind kind() {
        for (Field field : fields) {
            if (field.kind() != IndexKind.ORDERED) {
                return field.kind();
            }
        }
        return IndexKind.ORDERED;
    }

    /** What the keys of the index consist of. */
    List<KeyColumn> columns() {
        List<KeyColumn> columns = new ArrayList<>();
        for (Field each : fields) {
            switch (each.kind()) {
                case ORDERED, HASHED -> columns.add(ordered(each));
                case TEXT -> columns.add(new KeyColumn(DottedPath.of(each.path()), each.kind(), true, false));
                case SPHERE, PLANE -> columns.add(new KeyColumn(DottedPath.of(each.path()), each.kind(), true, false));
                case WILDCARD -> {
                    columns.add(new KeyColumn(DottedPath.of("$_path"), each.kind(), true, false));
                    columns.add(new KeyColumn(DottedPath.of(each.path()), each.kind(), each.ascending(), true));
                }
            }
        }
        return columns;
    }

    private KeyColumn ordered(Field field) {
        boolean isScore = kind() == IndexKind.TEXT && field.path().equals(TextPattern.SCORE);
        return new KeyColumn(
                DottedPath.of(field.path()), isScore ? IndexKind.TEXT : field.kind(), field.ascending(), !isScore);
    }

    /** One that names an index that may exist. */
    public static KeyPattern of(RawDocument document) {
        return parse(document);
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
                    .append(
                            element.value() instanceof Value.Str(Text plugin)
                                    ? plugin
                                    : Shell.text(element.value()).replaceFirst("\\.0$", ""));
        }
        return name.toString();
    }

    /** Whether this is the pattern of the index that every collection has. */
    boolean isId() {
        return fields.size() == 1
                && fields.getFirst().path().equals("_id")
                && fields.getFirst().kind() == IndexKind.ORDERED;
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

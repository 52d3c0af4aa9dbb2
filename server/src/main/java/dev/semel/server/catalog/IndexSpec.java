package dev.semel.server.catalog;

import dev.semel.query.geo.CellSpace;
import dev.semel.query.text.TextSpec;
import dev.semel.query.value.Collation;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks an index to be. Two indexes with the same key may live side by side if {@code unique},
 * {@code sparse} or the partial filter differ; the other options can only be had once per key.
 *
 * @param partialFilter the documents the index holds; all if null
 * @param expireAfterSeconds after which time beyond its date a document goes; never if null
 * @param hidden maintained, but no plan uses it
 * @param collation how it compares texts; null for as its collection does
 * @param prepareUnique refuses new duplicates, as the first step of becoming unique
 * @param kindOptions the options that only indexes of its kind have, complete
 * @param shown options without effect, which are shown as they were given
 */
public record IndexSpec(
        String name,
        KeyPattern key,
        boolean unique,
        boolean sparse,
        @Nullable RawDocument partialFilter,
        @Nullable Long expireAfterSeconds,
        boolean hidden,
        boolean prepareUnique,
        @Nullable Collation collation,
        RawDocument kindOptions,
        RawDocument shown) {
    /** What a specification may have. */
    private static final Set<String> FIELDS = Set.of(
            "key",
            "ns",
            "dropDups",
            "background",
            "storageEngine",
            "v",
            "name",
            "unique",
            "sparse",
            "hidden",
            "prepareUnique",
            "partialFilterExpression",
            "expireAfterSeconds",
            "collation",
            "clustering",
            "wildcardProjection",
            "2dsphereIndexVersion",
            "finestIndexedLevel",
            "coarsestIndexedLevel",
            "bits",
            "min",
            "max",
            "weights",
            "default_language",
            "language_override",
            "textIndexVersion",
            "clustered",
            "bucketSize",
            "columnstoreProjection");

    private static final Set<String> ID_FIELDS = Set.of("key", "name", "v", "ns", "collation", "background", "hidden");
    private static final int VERSION = 2;

    public IndexSpec(
            String name,
            KeyPattern key,
            boolean unique,
            boolean sparse,
            @Nullable RawDocument partialFilter,
            @Nullable Long expireAfterSeconds,
            boolean hidden,
            boolean prepareUnique,
            @Nullable Collation collation) {
        this(
                name,
                key,
                unique,
                sparse,
                partialFilter,
                expireAfterSeconds,
                hidden,
                prepareUnique,
                collation,
                RawDocument.EMPTY,
                RawDocument.EMPTY);
    }

    /** The index that every collection has and that cannot be dropped. */
    public static final IndexSpec ID =
            new IndexSpec("_id_", KeyPattern.ID, false, false, null, null, false, false, null);

    /** How a requested index relates to one that exists. */
    enum Likeness {
        DIFFERENT,
        /** Same key and same documents, but some other option differs. */
        EQUIVALENT,
        IDENTICAL
    }

    // ---- from the client

    /** One element of {@code createIndexes.indexes}. */
    public static IndexSpec parse(RawDocument spec) {
        KeyPattern key = of(spec, () -> key(spec));
        if (key.isId()) {
            return parseId(completed(spec), key);
        }
        IndexSpec index = of(spec, () -> readOptions(spec, key));
        checkReserved(index);
        return of(completed(spec), () -> {
            checkName(index);
            checkCombination(index, spec);
            return index;
        });
    }

    /** The same specification without what no index has. */
    public static RawDocument withoutUnknown(RawDocument spec) {
        BsonWriter known = new BsonWriter(spec.length());
        for (var at = spec.cursor(); at.next(); ) {
            if (FIELDS.contains(at.name())) {
                known.copy(at);
            }
        }
        return known.finish();
    }

    private static <T> T of(RawDocument spec, Supplier<T> read) {
        try {
            return read.get();
        } catch (CommandException e) {
            throw wrong(spec, e);
        }
    }

    /** The error of one among several specifications. */
    public static CommandException wrong(RawDocument spec, CommandException why) {
        return why.inContext("Error in specification " + Shell.text(spec));
    }

    /** As MongoDB shows it in errors that it finds later. */
    private static RawDocument completed(RawDocument spec) {
        return spec.has("v")
                ? spec
                : new BsonWriter().copyAll(spec).put("v", VERSION).finish();
    }

    private static KeyPattern key(RawDocument spec) {
        Value key = spec.get("key");
        if (key == null) {
            throw new CommandException(
                    ErrorCode.FailedToParse, "The 'key' field is a required property of an index specification");
        }
        if (!(key instanceof Value.Doc(RawDocument pattern))) {
            throw wrongType("key", "an object", key);
        }
        return KeyPattern.parse(pattern);
    }

    private static IndexSpec parseId(RawDocument spec, KeyPattern key) {
        if (!key.fields().getFirst().ascending()) {
            throw new CommandException(
                    ErrorCode.BadValue, "The field 'key' for an _id index must be {_id: 1}, but got %s", key);
        }
        for (var element : spec) {
            if (!ID_FIELDS.contains(element.name())) {
                throw new CommandException(
                        ErrorCode.InvalidIndexSpecificationOption,
                        "The field '%s' is not valid for an _id index specification. Specification: %s",
                        element.name(),
                        Shell.text(spec));
            }
        }
        IndexSpec read = readOptions(spec, key);
        if (spec.has("hidden")) {
            throw new CommandException(ErrorCode.BadValue, "can't hide _id index");
        }
        Collation collation = read.collation;
        return collation == null ? ID : ID.with(collation);
    }

    private static IndexSpec readOptions(RawDocument spec, KeyPattern key) {
        String name = key.defaultName();
        boolean unique = false;
        boolean sparse = false;
        boolean hidden = false;
        boolean prepareUnique = false;
        RawDocument partialFilter = null;
        Long expireAfterSeconds = null;
        Collation collation = null;
        BsonWriter shown = new BsonWriter();
        BsonWriter ofKind = new BsonWriter();
        for (var element : spec) {
            Value value = element.value();
            if (!FIELDS.contains(element.name())) {
                throw new CommandException(
                        ErrorCode.InvalidIndexSpecificationOption,
                        "The field '%s' is not valid for an index specification. Specification: %s",
                        element.name(),
                        Shell.text(spec));
            }
            switch (element.name()) {
                case "key", "ns", "dropDups" -> {}
                case "background" -> {
                    bool("background", value);
                    shown.put("background", value);
                }
                case "storageEngine" -> {
                    if (!(value instanceof Value.Doc)) {
                        throw wrongType("storageEngine", "an object", value);
                    }
                    shown.put("storageEngine", value);
                }
                case "v" -> checkVersion(value, spec);
                case "name" -> name = string("name", value);
                case "unique" -> unique = bool("unique", value);
                case "sparse" -> sparse = bool("sparse", value);
                case "hidden" -> hidden = bool("hidden", value);
                case "prepareUnique" -> prepareUnique = bool("prepareUnique", value);
                case "partialFilterExpression" -> {
                    if (!(value instanceof Value.Doc(RawDocument filter))) {
                        throw wrongType("partialFilterExpression", "an object", value);
                    }
                    partialFilter = filter.detached();
                }
                case "expireAfterSeconds" -> expireAfterSeconds = expiry(value);
                case "collation" -> collation = collation(value);
                case "clustering" -> {
                    if (bool("clustering", value)) {
                        ofKind.put("clustering", true);
                    }
                }
                case "wildcardProjection" -> ofKind.put("wildcardProjection", wildcardProjection(key, value));
                case "2dsphereIndexVersion", "finestIndexedLevel", "coarsestIndexedLevel", "bits", "min", "max" ->
                    ofKind.put(element.name(), value);
                case "weights", "default_language", "language_override", "textIndexVersion" ->
                    ofKind.put(element.name(), value);
                case "clustered", "bucketSize", "columnstoreProjection" ->
                    throw new CommandException(
                            ErrorCode.NotImplemented, "index option '%s' is not supported", element.name());
                default -> throw new IllegalStateException("nothing reads the option " + element.name());
            }
        }
        return new IndexSpec(
                name,
                key,
                unique,
                sparse,
                partialFilter,
                expireAfterSeconds,
                hidden,
                prepareUnique,
                collation,
                complete(spec, key, ofKind.finish()),
                shown.finish());
    }

    /** Whether each entry holds the whole document, so that who finds it there need not look it up, as in TokuMX. */
    public boolean clustering() {
        return Value.TRUE.equals(kindOptions.get("clustering"));
    }

    /** The options of its kind with what the client has left to us. */
    private static RawDocument complete(RawDocument spec, KeyPattern key, RawDocument ofKind) {
        return key.kind() == IndexKind.TEXT && spec.get("key") instanceof Value.Doc(RawDocument given)
                ? TextOptions.complete(given, ofKind)
                : GeoOptions.complete(key, ofKind);
    }

    private static RawDocument wildcardProjection(KeyPattern key, Value value) {
        if (key.kind() != IndexKind.WILDCARD) {
            throw new CommandException(
                    ErrorCode.BadValue, "The field 'wildcardProjection' is only allowed in 'wildcard' indexes");
        }
        if (!(value instanceof Value.Doc(RawDocument projection))) {
            throw wrongType("wildcardProjection", "a non-empty object", value);
        }
        if (!WildcardPaths.wildcard(key).equals(WildcardPaths.ALL)) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    "The field 'wildcardProjection' is only allowed when 'key' is {\"$**\": \u00B11}");
        }
        if (projection.isEmpty()) {
            throw new CommandException(
                    ErrorCode.FailedToParse, "The 'wildcardProjection' field can't be an empty object");
        }
        WildcardPaths.check(key, projection);
        return projection.detached();
    }

    private static void checkWildcard(IndexSpec index) {
        String without = index.sparse
                ? "does not support the sparse option"
                : index.unique
                        ? "does not support the unique option"
                        : index.expireAfterSeconds != null ? "cannot be a TTL index" : "";
        if (!without.isEmpty()) {
            throw new CommandException(ErrorCode.CannotCreateIndex, "Index type 'wildcard' %s", without);
        }
        if (index.key.fields().size() > 1
                && WildcardPaths.wildcard(index.key).equals(WildcardPaths.ALL)
                && !index.kindOptions.has("wildcardProjection")) {
            throw new CommandException(
                    ErrorCode.CannotCreateIndex,
                    "Compound wildcard indexes on all fields must also specify 'wildcardProjection' option");
        }
    }

    /** Which paths a wildcard index has. */
    public WildcardPaths wildcardPaths() {
        return WildcardPaths.of(
                key,
                kindOptions.get("wildcardProjection") instanceof Value.Doc(RawDocument projection)
                        ? projection
                        : RawDocument.EMPTY);
    }

    private static void checkReserved(IndexSpec index) {
        if (index.name.equals("*")) {
            throw new CommandException(ErrorCode.BadValue, "The index name '*' is not valid.");
        }
        if (index.name.equals(ID.name)) {
            throw new CommandException(
                    ErrorCode.BadValue,
                    "The index name '_id_' is reserved for the _id index, which must have key pattern {_id: 1}, found"
                            + " key: %s",
                    index.key);
        }
    }

    private static void checkName(IndexSpec index) {
        if (index.name.isEmpty()) {
            throw new CommandException(ErrorCode.CannotCreateIndex, "index name cannot be empty");
        }
        if (index.name.indexOf('\0') >= 0) {
            throw new CommandException(ErrorCode.CannotCreateIndex, "index name cannot contain NUL bytes");
        }
    }

    private static void checkCombination(IndexSpec index, RawDocument spec) {
        switch (index.key.kind()) {
            case ORDERED -> {}
            case SPHERE -> index.cells();
            case PLANE -> {
                index.cells();
                index.requireSimple(index.collated());
            }
            case TEXT -> {
                if (index.unique || index.prepareUnique) {
                    throw new CommandException(
                            ErrorCode.CannotCreateIndex, "Index type 'text' does not support the unique option");
                }
                index.requireSimple(index.collated());
            }
            case HASHED -> {
                if (index.unique || index.prepareUnique) {
                    throw new CommandException(
                            ErrorCode.location(16764),
                            "Currently hashed indexes cannot guarantee uniqueness. Use a regular index.");
                }
            }
            case WILDCARD -> checkWildcard(index);
        }
        if (index.clustering() && index.key.kind() != IndexKind.ORDERED) {
            throw new CommandException(
                    ErrorCode.CannotCreateIndex,
                    "Only ordered indexes can be clustering. Index spec: %s",
                    Shell.text(spec));
        }
        if (index.partialFilter != null && index.sparse) {
            throw new CommandException(
                    ErrorCode.CannotCreateIndex, "cannot mix \"partialFilterExpression\" and \"sparse\" options");
        }
        if (index.expireAfterSeconds != null && given(index.key, spec) > 1) {
            throw new CommandException(
                    ErrorCode.CannotCreateIndex,
                    "TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: %s",
                    Shell.text(spec));
        }
    }

    /**
     * How many fields the client has named. A text index has one more, for the score, and may have fewer. MongoDB lets one
     * with a single field expire, although nothing does.
     */
    private static int given(KeyPattern key, RawDocument spec) {
        return key.kind() == IndexKind.TEXT && spec.get("key") instanceof Value.Doc(RawDocument fields)
                ? TextPattern.given(fields)
                : key.fields().size();
    }

    /** Some kinds compare texts in one way only. */
    private void requireSimple(Collation wanted) {
        if (!wanted.isSimple()) {
            throw new CommandException(
                    ErrorCode.CannotCreateIndex,
                    "Index type '%s' does not support collation: %s",
                    key.kind(),
                    Shell.text(wanted.document()));
        }
    }

    private static void checkVersion(Value value, RawDocument spec) {
        long version = switch (value) {
            case Value.Int32(int number) -> number;
            case Value.Int64(long number) -> number;
            case Value.Double64(double number) -> (long) number;
            default -> throw wrongType("v", "a number", value);
        };
        if (version != 1 && version != VERSION) {
            throw new CommandException(
                    ErrorCode.CannotCreateIndex,
                    "Invalid index specification %s; cannot create an index with v=%d",
                    Shell.text(spec),
                    version);
        }
    }

    private static @Nullable Collation collation(Value value) {
        if (!(value instanceof Value.Doc(RawDocument specification))) {
            throw wrongType("collation", "an object", value);
        }
        return Collation.parse(specification);
    }

    public static long expiry(Value value) {
        double seconds = switch (value) {
            case Value.Int32(int number) -> number;
            case Value.Int64(long number) -> number;
            case Value.Double64(double number) -> number;
            case Value.Decimal(Decimal128 number) -> number.doubleValue();
            default -> throw wrongType("expireAfterSeconds", "a number", value);
        };
        if (seconds < 0) {
            throw new CommandException(
                    ErrorCode.CannotCreateIndex, "TTL index 'expireAfterSeconds' option cannot be less than 0");
        }
        if (seconds > Integer.MAX_VALUE || Double.isNaN(seconds)) {
            throw new CommandException(
                    ErrorCode.CannotCreateIndex,
                    "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a different number"
                            + " than %s",
                    Shell.text(value));
        }
        return (long) seconds;
    }

    private static String string(String field, Value value) {
        if (!(value instanceof Value.Str(Text text))) {
            throw wrongType(field, "a string", value);
        }
        return text.toString();
    }

    private static boolean bool(String field, Value value) {
        if (value instanceof Value.Bool(boolean bool)) {
            return bool;
        }
        if (Numbers.isNumber(value)) {
            return !Numbers.isZero(value);
        }
        throw new CommandException(
                ErrorCode.TypeMismatch,
                "The field '%s' has value %s: %s, which is not convertible to bool",
                field,
                field,
                Shell.text(value));
    }

    private static CommandException wrongType(String field, String expected, Value found) {
        BsonType type = found.type();
        return new CommandException(
                ErrorCode.TypeMismatch, "The field '%s' must be %s, but got %s", field, expected, type);
    }

    /** How texts compare, once that is known. */
    public Collation collated() {
        return collation == null ? Collation.SIMPLE : collation;
    }

    /** How an index on shapes divides the sphere or the plane. */
    public CellSpace cells() {
        return GeoOptions.cells(key.kind(), kindOptions);
    }

    /** What a text index has of documents. */
    public TextSpec text() {
        return TextOptions.spec(kindOptions);
    }

    /** The same, as an index of a collection with this default collation. */
    IndexSpec orElse(Collation ofCollection) {
        if (collation == null && (key.kind() == IndexKind.PLANE || key.kind() == IndexKind.TEXT)) {
            requireSimple(ofCollection);
        }
        return collation == null ? with(ofCollection) : this;
    }

    // ---- against the indexes that exist

    Likeness likeness(IndexSpec existing) {
        boolean sameIndex = key.sameAs(existing.key)
                && unique == existing.unique
                && sparse == existing.sparse
                && collated().equals(existing.collated())
                && (key.kind() != IndexKind.WILDCARD || kindOptions.equals(existing.kindOptions))
                && Objects.equals(partialFilter, existing.partialFilter);
        if (!sameIndex) {
            return Likeness.DIFFERENT;
        }
        boolean sameOptions = Objects.equals(expireAfterSeconds, existing.expireAfterSeconds)
                && kindOptions.equals(existing.kindOptions)
                && hidden == existing.hidden
                && prepareUnique == existing.prepareUnique;
        return sameOptions ? Likeness.IDENTICAL : Likeness.EQUIVALENT;
    }

    // ---- to the client and to the catalog

    /** As {@code listIndexes} shows it; {@link #parse} reads it back. */
    public RawDocument toDocument() {
        BsonWriter out =
                new BsonWriter().put("v", VERSION).put("key", key.document()).put("name", name);
        out.copyAll(shown);
        out.copyAll(kindOptions);
        if (unique) {
            out.put("unique", true);
        }
        if (sparse) {
            out.put("sparse", true);
        }
        if (partialFilter != null) {
            out.put("partialFilterExpression", partialFilter);
        }
        if (expireAfterSeconds != null) {
            out.put("expireAfterSeconds", expireAfterSeconds.intValue());
        }
        if (hidden) {
            out.put("hidden", true);
        }
        if (prepareUnique) {
            out.put("prepareUnique", true);
        }
        if (!collated().isSimple()) {
            out.put("collation", collated().document());
        }
        return out.finish();
    }

    public IndexSpec withHidden(boolean now) {
        return new IndexSpec(
                name,
                key,
                unique,
                sparse,
                partialFilter,
                expireAfterSeconds,
                now,
                prepareUnique,
                collation,
                kindOptions,
                shown);
    }

    public IndexSpec withExpireAfterSeconds(long now) {
        return new IndexSpec(
                name, key, unique, sparse, partialFilter, now, hidden, prepareUnique, collation, kindOptions, shown);
    }

    public IndexSpec withPrepareUnique(boolean now) {
        return new IndexSpec(
                name,
                key,
                unique,
                sparse,
                partialFilter,
                expireAfterSeconds,
                hidden,
                now,
                collation,
                kindOptions,
                shown);
    }

    public IndexSpec withUnique() {
        return new IndexSpec(
                name,
                key,
                true,
                sparse,
                partialFilter,
                expireAfterSeconds,
                hidden,
                false,
                collation,
                kindOptions,
                shown);
    }

    IndexSpec named(String now) {
        return new IndexSpec(
                now,
                key,
                unique,
                sparse,
                partialFilter,
                expireAfterSeconds,
                hidden,
                prepareUnique,
                collation,
                kindOptions,
                shown);
    }

    IndexSpec with(Collation now) {
        return new IndexSpec(
                name,
                key,
                unique,
                sparse,
                partialFilter,
                expireAfterSeconds,
                hidden,
                prepareUnique,
                now,
                kindOptions,
                shown);
    }
}

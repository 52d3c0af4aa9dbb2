package dev.semel.server.plan;

import dev.semel.query.filter.Filter;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.server.catalog.KeyPattern;
import dev.semel.store.key.KeyRange;
import dev.semel.store.key.KeyWriter;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.Arrays;
import java.util.List;

/** What clients say about the index to use. */
final class Hints {
    private Hints() {}

    /** The direction that {@code {$natural: 1}} gives; 0 for any other hint. */
    static int natural(Value hint) {
        if (!(hint instanceof Value.Doc(RawDocument document)) || !document.has("$natural")) {
            return 0;
        }
        double direction = switch (document.get("$natural")) {
            case Value.Int32(int value) -> value;
            case Value.Int64(long value) -> value;
            case Value.Double64(double value) -> value;
            case Value.Decimal(Decimal128 value) ->
                value.isFinite() ? value.toBigDecimal().doubleValue() : 0;
            case null, default -> 0;
        };
        if (direction != 1 && direction != -1) {
            throw new CommandException(ErrorCode.BadValue, "$natural hint must be set to a value of 1 or -1");
        }
        return (int) direction;
    }

    /** The one index it means. Several may have a key pattern, with different collations, partial filters or options. */
    static Index index(Collection collection, Value hint) {
        List<Index> found = collection.indexes().stream()
                .filter(index -> means(hint, index) && !index.spec().hidden())
                .toList();
        if (found.isEmpty()) {
            throw badQuery(collection, ErrorCode.BadValue, "hint provided does not correspond to an existing index");
        }
        if (found.size() > 1) {
            String matched = "Hint matched multiple indexes, must hint by index name. Matched: "
                    + Shell.text(found.get(0).spec().toDocument()) + " and "
                    + Shell.text(found.get(1).spec().toDocument());
            throw badQuery(collection, ErrorCode.IndexNotFound, matched);
        }
        return found.getFirst();
    }

    /** Whether it is the index's name or key pattern. */
    static boolean means(Value hint, Index index) {
        return switch (hint) {
            case Value.Str(Text name) -> index.name().equals(name.toString());
            case Value.Doc(RawDocument key) -> isKey(index.key(), key);
            default -> false;
        };
    }

    private static boolean isKey(KeyPattern key, RawDocument hint) {
        int field = 0;
        for (Element element : hint) {
            if (field == key.fields().size()) {
                return false;
            }
            if (!isField(key.fields().get(field++), element)) {
                return false;
            }
        }
        return field == key.fields().size();
    }

    private static boolean isField(KeyPattern.Field field, Element hint) {
        if (!field.path().equals(hint.name())) {
            return false;
        }
        if (hint.value() instanceof Value.Str(Text plugin)) {
            return field.kind().isNamed(plugin.toString());
        }
        int sign = switch (hint.value()) {
            case Value.Int32(int value) -> Integer.signum(value);
            case Value.Int64(long value) -> Long.signum(value);
            case Value.Double64(double value) -> (int) Math.signum(value);
            case Value.Decimal(Decimal128 value) ->
                value.isFinite() ? value.toBigDecimal().signum() : 0;
            default -> 0;
        };
        return !field.kind().isNamedInPatterns() && sign == (field.ascending() ? 1 : -1);
    }

    /** A sparse index may be forced although it lacks documents; a partial one may not. */
    static void requireComplete(Collection collection, Index index, Filter filter) {
        Filter partial = index.partialFilter();
        if (partial != null && !Implication.implies(filter, partial)) {
            throw noSolution(collection);
        }
    }

    /** The index hinted at cannot answer the query. */
    static CommandException noSolution(Collection collection) {
        return badQuery(collection, ErrorCode.NoQueryExecutionPlans, "No query solutions");
    }

    private static CommandException badQuery(Collection collection, ErrorCode code, String why) {
        return new CommandException(
                code,
                "error processing query: ns=%s: planner returned error :: caused by :: %s",
                collection.namespace(),
                why);
    }

    // ---- min and max

    static Index forBounds(Collection collection, Query query) {
        Value hint = query.hint();
        if (hint == null || natural(hint) != 0) {
            throw new CommandException(
                    ErrorCode.location(51173), "When using min()/max() a hint of which index to use must be provided");
        }
        Index index = index(collection, hint);
        if (index.kind() != IndexKind.ORDERED && index.kind() != IndexKind.HASHED) {
            throw incompatible();
        }
        return index;
    }

    static KeyRange range(Index index, RawDocument min, RawDocument max) {
        KeyRange all = index.range();
        byte[] low = min.isEmpty() ? all.low() : key(index, min);
        byte[] high = max.isEmpty() ? all.high() : key(index, max);
        if (high != null && Arrays.compareUnsigned(low, high) >= 0) {
            throw new CommandException(
                    ErrorCode.location(51175),
                    "The value provided for min() does not come before the value provided for max()");
        }
        return new KeyRange(low, high);
    }

    private static byte[] key(Index index, RawDocument values) {
        KeyWriter out = new KeyWriter().encoded(index.prefix(), 0, index.prefix().length);
        int field = 0;
        for (Element element : values) {
            if (field == index.paths().size()
                    || !index.paths().get(field).toString().equals(element.name())) {
                throw incompatible();
            }
            out.put(index.stored(field, element.value()), index.descending()[field]);
            field++;
        }
        if (field < index.paths().size()) {
            throw incompatible();
        }
        return out.toKey();
    }

    private static CommandException incompatible() {
        return new CommandException(ErrorCode.location(51174), "The index chosen is not compatible with min/max");
    }
}

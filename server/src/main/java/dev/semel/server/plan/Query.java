package dev.semel.server.plan;

import dev.semel.query.expression.Metadata;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Searches;
import dev.semel.query.filter.TextPlacement;
import dev.semel.query.pipeline.GeoNear;
import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.SortPattern;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What to find in one collection. Does not change: each method that asks for something else returns another one. */
public final class Query {
    private static final SortPattern NO_ORDER = new SortPattern(List.of(), Collation.SIMPLE);

    private Filter filter;
    private SortPattern sort = NO_ORDER;
    private long skip;
    private long limit;
    private @Nullable Value hint;
    private RawDocument min = RawDocument.EMPTY;
    private RawDocument max = RawDocument.EMPTY;
    private RawDocument projection = RawDocument.EMPTY;
    private boolean keysOnly;
    private @Nullable GeoNear nearest;
    private boolean allowDiskUse = true;
    private boolean wantsTextScore;
    private @Nullable Distinct distinct;
    private @Nullable Set<String> needed;

    /**
     * The values at a path, each once, as they compare under a collation.
     *
     * @param whole whether an array is a value, instead of its elements; then of the documents with the same value the first
     *     one in the order wanted is needed, not any
     * @param last whether it is the last one instead
     */
    public record Distinct(DottedPath path, Collation collation, boolean whole, boolean last) {}

    private Query(Filter filter) {
        this.filter = filter;
    }

    /** All documents that match. */
    public static Query of(Filter filter) {
        return new Query(filter);
    }

    private Query copy() {
        Query copy = new Query(filter);
        copy.sort = sort;
        copy.skip = skip;
        copy.limit = limit;
        copy.hint = hint;
        copy.min = min;
        copy.max = max;
        copy.projection = projection;
        copy.keysOnly = keysOnly;
        copy.nearest = nearest;
        copy.allowDiskUse = allowDiskUse;
        copy.wantsTextScore = wantsTextScore;
        copy.distinct = distinct;
        copy.needed = needed;
        return copy;
    }

    /** As the client spells it, where {@code {$natural: -1}} is a hint. */
    public Query sortedBy(RawDocument spec, Collation collation) {
        if (spec.isEmpty() && collation.isSimple()) {
            return sorted(NO_ORDER);
        }
        Value natural = spec.get("$natural");
        if (natural == null) {
            SortPattern by = SortPattern.parse(spec, collation);
            Metadata.check(by.metadata(), Searches.metadata(filter));
            return sorted(by);
        }
        if (TextPlacement.isIn(filter)) {
            throw new CommandException(ErrorCode.BadValue, "text expression not allowed with $natural sort order");
        }
        return hinted(Value.of(new BsonWriter(32).put("$natural", natural).finish()));
    }

    public Query sorted(SortPattern by) {
        if (by.equals(sort)) {
            return this;
        }
        Query changed = copy();
        changed.sort = by;
        return changed;
    }

    public Query window(long first, long atMost) {
        Query changed = copy();
        changed.skip = first;
        changed.limit = atMost;
        return changed;
    }

    public Query hinted(@Nullable Value index) {
        if (index == null && hint == null) {
            return this;
        }
        Query changed = copy();
        changed.hint = index;
        return changed;
    }

    public Query between(RawDocument low, RawDocument high) {
        Query changed = copy();
        changed.min = low;
        changed.max = high;
        return changed;
    }

    public Query projected(RawDocument by) {
        Query changed = copy();
        changed.projection = by;
        return changed;
    }

    public Query withoutDocuments() {
        Query changed = copy();
        changed.keysOnly = true;
        return changed;
    }

    /** The caller looks at no other fields of the documents than those with these names; null for all. */
    public Query needing(@Nullable Set<String> fields) {
        Query changed = copy();
        changed.needed = fields;
        return changed;
    }

    public Query usingDisk(boolean allowed) {
        Query changed = copy();
        changed.allowDiskUse = allowed;
        return changed;
    }

    /** Whether anybody asks for the score of a search for words, beside the order. */
    public Query wantingTextScore(boolean wants) {
        Query changed = copy();
        changed.wantsTextScore = wants;
        return changed;
    }

    /** What a stage asks for, which stands at the beginning of a pipeline. */
    public Query nearest(GeoNear stage) {
        Query changed = copy();
        changed.filter = stage.query();
        changed.nearest = stage;
        return changed;
    }

    public Query distinct(DottedPath path, Collation collation) {
        Query changed = copy();
        changed.distinct = new Distinct(path, collation, false, false);
        return changed;
    }

    /** Of the documents that have the same value at a path the first one is enough. */
    public Query firstOfEach(DottedPath path, Collation collation) {
        Query changed = copy();
        changed.distinct = new Distinct(path, collation, true, false);
        return changed;
    }

    /** The same for the last one: the documents may come in the opposite order then. */
    public Query lastOfEach(DottedPath path, Collation collation) {
        Query changed = copy();
        changed.distinct = new Distinct(path, collation, true, true);
        return changed;
    }

    /** Whether the score of a search for words is needed. */
    boolean needsTextScore() {
        return wantsTextScore || sort.metadata().contains(Metadata.TEXT_SCORE);
    }

    public Filter filter() {
        return filter;
    }

    public SortPattern sort() {
        return sort;
    }

    /** How many of the first to leave out. */
    public long skip() {
        return skip;
    }

    /** How many at most; 0 for all. */
    public long limit() {
        return limit;
    }

    /** The name or the key of the index to use, or {@code {$natural: 1}}; null to leave it to the planner. */
    public @Nullable Value hint() {
        return hint;
    }

    /** The lowest key of the hinted index to look at; empty for none. */
    public RawDocument min() {
        return min;
    }

    /** The key of the hinted index at which to stop; empty for none. */
    public RawDocument max() {
        return max;
    }

    /** What the caller makes of the documents, for {@code explain} to show; empty for nothing. */
    public RawDocument projection() {
        return projection;
    }

    /** The caller looks at no document, as {@code count} does not. */
    public boolean keysOnly() {
        return keysOnly;
    }

    /** The fields that the caller looks at; null for all. */
    public @Nullable Set<String> needed() {
        return keysOnly ? Set.of() : needed;
    }

    /** The stage that asks for the documents by their distance; null for none. */
    public @Nullable GeoNear nearest() {
        return nearest;
    }

    /** Whether a sort may write temporary files. */
    public boolean allowDiskUse() {
        return allowDiskUse;
    }

    /** What the caller wants of the documents, if of several with the same values one is enough; null for all. */
    public @Nullable Distinct distinct() {
        return distinct;
    }

    @Override
    public String toString() {
        return "Query[filter=%s, sort=%s, hint=%s]".formatted(filter, sort, hint);
    }
}

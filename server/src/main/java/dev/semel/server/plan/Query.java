package dev.semel.server.plan;

import dev.semel.query.expression.Metadata;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Searches;
import dev.semel.query.filter.TextPlacement;
import dev.semel.query.pipeline.GeoNear;
import dev.semel.query.value.Collation;
import dev.semel.query.value.SortPattern;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to find in one collection.
 *
 * @param skip how many of the first to leave out
 * @param limit how many at most; 0 for all
 * @param hint the name or the key of the index to use, or {@code {$natural: 1}}; null to leave it to the planner
 * @param min the lowest key of the hinted index to look at; empty for none
 * @param max the key of the hinted index at which to stop; empty for none
 * @param projection what the caller makes of the documents, for {@code explain} to show; empty for nothing
 * @param keysOnly the caller looks at no document, as {@code count} does not
 * @param nearest the stage that asks for the documents by their distance; null for none
 * @param allowDiskUse whether a sort may write temporary files
 * @param wantsTextScore whether the caller asks for the score of a search for words
 */
public record Query(
        Filter filter,
        SortPattern sort,
        long skip,
        long limit,
        @Nullable Value hint,
        RawDocument min,
        RawDocument max,
        RawDocument projection,
        boolean keysOnly,
        @Nullable GeoNear nearest,
        boolean allowDiskUse,
        boolean wantsTextScore) {
    private static final SortPattern NO_ORDER = new SortPattern(List.of(), Collation.SIMPLE);

    public static Query of(Filter filter) {
        return new Query(
                filter,
                NO_ORDER,
                0,
                0,
                null,
                RawDocument.EMPTY,
                RawDocument.EMPTY,
                RawDocument.EMPTY,
                false,
                null,
                true,
                false);
    }

    /** As the client spells it, where {@code {$natural: -1}} is a hint. */
    public Query sortedBy(RawDocument spec, Collation collation) {
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
        return new Query(
                filter, by, skip, limit, hint, min, max, projection, keysOnly, nearest, allowDiskUse, wantsTextScore);
    }

    public Query window(long first, long atMost) {
        return new Query(
                filter,
                sort,
                first,
                atMost,
                hint,
                min,
                max,
                projection,
                keysOnly,
                nearest,
                allowDiskUse,
                wantsTextScore);
    }

    public Query hinted(@Nullable Value index) {
        return new Query(
                filter,
                sort,
                skip,
                limit,
                index,
                min,
                max,
                projection,
                keysOnly,
                nearest,
                allowDiskUse,
                wantsTextScore);
    }

    public Query between(RawDocument low, RawDocument high) {
        return new Query(
                filter,
                sort,
                skip,
                limit,
                hint,
                low,
                high,
                projection,
                keysOnly,
                nearest,
                allowDiskUse,
                wantsTextScore);
    }

    public Query projected(RawDocument by) {
        return new Query(
                filter, sort, skip, limit, hint, min, max, by, keysOnly, nearest, allowDiskUse, wantsTextScore);
    }

    public Query withoutDocuments() {
        return new Query(
                filter, sort, skip, limit, hint, min, max, projection, true, nearest, allowDiskUse, wantsTextScore);
    }

    public Query usingDisk(boolean allowed) {
        return new Query(
                filter, sort, skip, limit, hint, min, max, projection, keysOnly, nearest, allowed, wantsTextScore);
    }

    /** Whether anybody asks for the score of a search for words, beside the order. */
    public Query wantingTextScore(boolean wants) {
        return new Query(filter, sort, skip, limit, hint, min, max, projection, keysOnly, nearest, allowDiskUse, wants);
    }

    /** Whether the score of a search for words is needed. */
    boolean needsTextScore() {
        return wantsTextScore || sort.metadata().contains(Metadata.TEXT_SCORE);
    }

    /** What a stage asks for, which stands at the beginning of a pipeline. */
    public Query nearest(GeoNear stage) {
        return new Query(
                stage.query(),
                sort,
                skip,
                limit,
                hint,
                min,
                max,
                projection,
                keysOnly,
                stage,
                allowDiskUse,
                wantsTextScore);
    }
}

package dev.semel.server.plan;

import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.Filter;
import dev.semel.query.geo.NearQuery;
import dev.semel.query.text.TextQuery;
import dev.semel.query.value.SortPattern;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.store.Snapshot;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a query is answered. Immutable, except that an expression in its filter belongs to one thread. */
public sealed interface Plan {

    /** Begins to run it. The snapshot stays the caller's, who closes it after the run. */
    default Run open(Snapshot snapshot, Interruption interruption) {
        return Runs.open(this, new Reading(snapshot, interruption));
    }

    /** What the answer depends on when it is read to its end. */
    default List<Extent> extents() {
        return Extents.of(this);
    }

    /** Whether it stops before its end, so that the answer may depend on less than {@link #extents}. */
    default boolean isLimited() {
        return Extents.isLimited(this);
    }

    /** There is no such collection, or no document can match. */
    record Nothing() implements Plan {}

    /**
     * Every document is looked at, in the order of {@code _id}; of a capped collection in the order of insertion.
     *
     * @param needed the fields that are looked at in what it finds; null for all
     */
    record CollectionScan(
            Collection collection,
            Filter filter,
            boolean reverse,
            @Nullable Set<String> needed) implements Plan {}

    /**
     * The one document with this {@code _id}.
     *
     * @param filter what else is asked of it
     */
    record ById(Collection collection, byte[] key, Value id, Filter filter) implements Plan {}

    /**
     * The documents to which a part of an index leads.
     *
     * @param range what {@code min} and {@code max} have made of the bounds
     * @param filter what else is asked of the documents
     * @param distinct of how many columns, from the first on, each combination of values is wanted once; 0 for all keys.
     *     Those with null in the last of them are all wanted, because keys do not tell null from a missing value
     * @param last whether they come in the opposite of the order wanted, so that of those with null too the first is wanted alone
     */
    record IndexScan(
            Collection collection,
            IndexBounds bounds,
            KeyBounds range,
            boolean reverse,
            Filter filter,
            Supply supply,
            int distinct,
            boolean last,
            QueryMemory memory)
            implements Plan {
        public Index index() {
            return bounds.index();
        }

        /** Whether it need not look at documents, though their fields are wanted. */
        boolean isCovered() {
            return supply instanceof Supply.Fields;
        }
    }

    /**
     * Several scans, each in the order wanted, as one in that order.
     *
     * @param by the order, which is to be read from the entries of each scan
     * @param mayRepeat whether two of them may lead to the same document
     */
    record Merge(Collection collection, List<IndexScan> scans, SortPattern by, boolean mayRepeat, QueryMemory memory)
            implements Plan {}

    /**
     * The documents with a place in an index on shapes, the nearest first.
     *
     * @param bounds what else is asked of the index
     * @param column of the index, with the cells
     * @param filter what else is asked of the documents
     */
    record Near(
            Collection collection, IndexBounds bounds, int column, NearQuery query, Filter filter, QueryMemory memory)
            implements Plan {
        public Index index() {
            return bounds.index();
        }

        String stage() {
            return "GEO_NEAR_" + index().kind().toString().toUpperCase(Locale.ROOT);
        }
    }

    /**
     * The documents in which a text index has any of the terms of a search.
     *
     * @param before the values of the columns before the terms
     * @param filter what else is asked of the documents
     * @param scored whether the score is asked for; then the best documents come first
     */
    record Search(
            Collection collection,
            Index index,
            List<Value> before,
            TextQuery query,
            Filter filter,
            boolean scored,
            QueryMemory memory)
            implements Plan {

        /** The part of the index with each term. */
        List<KeyRange> ranges() {
            return query.keyTerms().stream()
                    .map(each -> index.term(before, each))
                    .toList();
        }
    }

    /**
     * What all of several scans find, each of which is for single values.
     *
     * @param filter what else is asked of the documents
     * @param keysOnly whether it need not look at them
     */
    record Intersection(Collection collection, List<IndexScan> scans, Filter filter, boolean keysOnly)
            implements Plan {}

    /** What any of several plans finds, each document once. */
    record Union(Collection collection, List<Plan> any, QueryMemory memory) implements Plan {}

    /**
     * The same documents in their own order.
     *
     * @param limit how many of the first documents are needed; 0 for all
     * @param allowDiskUse whether it may write temporary files
     * @param kept the fields that are needed afterwards; null for whole documents
     */
    record Sorted(
            Plan input,
            SortPattern by,
            long limit,
            boolean allowDiskUse,
            @Nullable Set<String> kept,
            QueryMemory memory)
            implements Plan {}

    record Skipped(Plan input, long count) implements Plan {}

    record Limited(Plan input, long count) implements Plan {}

    /** What the caller makes of the documents, which changes nothing here but is shown. */
    record Projected(Plan input, RawDocument by) implements Plan {}

    /** A short summary, such as {@code IXSCAN { a: 1 }}, for the log of slow operations. */
    default String summary() {
        return switch (this) {
            case Nothing ignored -> "EOF";
            case CollectionScan ignored -> "COLLSCAN";
            case ById ignored -> "EXPRESS_IXSCAN { _id: 1 }";
            case IndexScan scan ->
                (scan.supply instanceof Supply.Keys ? "COUNT_SCAN " : "IXSCAN ")
                        + scan.index().key();
            case Merge merge ->
                String.join(
                        ", ", merge.scans.stream().map(Plan::summary).distinct().toList());
            case Intersection all ->
                String.join(
                        ", ",
                        all.scans.stream()
                                .map(each -> "IXSCAN " + each.index().key())
                                .toList());
            case Near near -> near.stage() + " " + near.index().key();
            case Search search -> "TEXT_MATCH " + search.index.key();
            case Union(Collection ignored, List<Plan> any, QueryMemory memory) ->
                String.join(", ", any.stream().map(Plan::summary).distinct().toList());
            case Sorted sorted -> sorted.input.summary();
            case Skipped skipped -> skipped.input.summary();
            case Limited limited -> limited.input.summary();
            case Projected projected -> projected.input.summary();
        };
    }

    /**
     * What a serializable reader locks before it reads, so that no document can come into what it has seen: parts of
     * {@link Index#table}.
     */
    default List<Part> reads() {
        return switch (this) {
            case Nothing ignored -> List.of();
            case CollectionScan scan ->
                List.of(new Part(scan.collection.indexes().getFirst(), scan.collection.documents()));
            case ById byId -> List.of(new Part(byId.collection.indexes().getFirst(), KeyRange.point(byId.key)));
            case IndexScan scan -> List.of(new Part(scan.index(), scan.range.hull()));
            case Merge merge ->
                merge.scans.stream().flatMap(each -> each.reads().stream()).toList();
            case Intersection all ->
                all.scans.stream().flatMap(each -> each.reads().stream()).toList();
            case Near near -> List.of(new Part(near.index(), near.index().range()));
            case Search search ->
                search.ranges().stream()
                        .map(each -> new Part(search.index, each))
                        .toList();
            case Union union ->
                union.any.stream().flatMap(each -> each.reads().stream()).toList();
            case Sorted sorted -> sorted.input.reads();
            case Skipped skipped -> skipped.input.reads();
            case Limited limited -> limited.input.reads();
            case Projected projected -> projected.input.reads();
        };
    }

    /** The indexes that lead to the documents. */
    default List<Index> indexes() {
        return switch (this) {
            case Nothing ignored -> List.of();
            case CollectionScan ignored -> List.of();
            case ById byId -> List.of(byId.collection.indexes().getFirst());
            case IndexScan scan -> List.of(scan.index());
            case Merge merge ->
                merge.scans.stream().map(IndexScan::index).distinct().toList();
            case Intersection all -> all.scans.stream().map(IndexScan::index).toList();
            case Near near -> List.of(near.index());
            case Search search -> List.of(search.index);
            case Union union ->
                union.any.stream()
                        .flatMap(each -> each.indexes().stream())
                        .distinct()
                        .toList();
            case Sorted sorted -> sorted.input.indexes();
            case Skipped skipped -> skipped.input.indexes();
            case Limited limited -> limited.input.indexes();
            case Projected projected -> projected.input.indexes();
        };
    }

    /** How often it looks at every document of a collection. */
    default int collectionScans() {
        return switch (this) {
            case CollectionScan ignored -> 1;
            case Union union ->
                union.any.stream().mapToInt(Plan::collectionScans).sum();
            case Sorted sorted -> sorted.input.collectionScans();
            case Skipped skipped -> skipped.input.collectionScans();
            case Limited limited -> limited.input.collectionScans();
            case Projected projected -> projected.input.collectionScans();
            case Nothing ignored -> 0;
            case ById ignored -> 0;
            case IndexScan ignored -> 0;
            case Merge ignored -> 0;
            case Intersection ignored -> 0;
            case Near ignored -> 0;
            case Search ignored -> 0;
        };
    }

    /** A range of an index's keys. */
    record Part(Index index, KeyRange range) {}
}

package dev.semel.server.plan;

import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.server.catalog.KeyColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * An index that could be used.
 *
 * @param residual what has to be asked of the documents themselves
 * @param direction in which its scans yield the documents in the order wanted; 0 if they have to be sorted
 * @param exploded the scans that have to be merged for this order; empty if it is one scan
 */
record Candidate(
        Index index, IndexBounds bounds, KeyBounds range, Filter residual, int direction, List<IndexBounds> exploded) {

    static Candidate of(IndexBounds bounds, Demand.Conjunction conjunction, Query query) {
        int direction = query.sort().isEmpty() ? 1 : bounds.direction(query.sort());
        List<IndexBounds> exploded = List.of();
        if (direction == 0) {
            exploded = ExplodedBounds.of(bounds, query.sort());
            direction = exploded.isEmpty() ? 0 : exploded.getFirst().direction(query.sort());
        }
        return new Candidate(
                bounds.index(), bounds, KeyBounds.of(bounds), bounds.residual(conjunction), direction, exploded);
    }

    /** By which a {@link PlanCache} knows it, whatever the values are. */
    String id() {
        String number = Integer.toString(index.number());
        return index.kind() == IndexKind.WILDCARD
                ? number + bounds.columns().stream().map(KeyColumn::path).toList()
                : number;
    }

    /** Equality on all fields of a unique index. */
    boolean findsOne() {
        return index.isUnique()
                && !bounds.isMultikey()
                && bounds.fields().stream().allMatch(Intervals::isPoint);
    }

    /** How well its bounds are defined: single values count most. */
    int points() {
        int points = 0;
        for (Intervals each : bounds.fields()) {
            points += each.arePoints() ? 3 : each.isAll() ? 0 : 1;
        }
        return points;
    }

    /** What finds the documents; in the order wanted if {@link #direction} is not 0. */
    Plan source(Collection collection, Query query, QueryMemory memory) {
        if (!exploded.isEmpty()) {
            return new Plan.Merge(collection, scans(collection, memory), query.sort(), bounds.isMultikey(), memory);
        }
        int distinct = distinctColumns(query);
        Query.Distinct wanted = query.distinct();
        boolean fromTheEnd = distinct > 0 && wanted != null && wanted.last();
        return new Plan.IndexScan(
                collection,
                bounds,
                range,
                (direction < 0) != fromTheEnd,
                residual,
                supply(query),
                distinct,
                fromTheEnd,
                memory);
    }

    /** What its scan has to say of each document. */
    Supply supply(Query query) {
        if (!exploded.isEmpty()) {
            return new Supply.Documents();
        }
        if (query.keysOnly() && direction != 0 && residual.equals(Filters.ALL)) {
            return new Supply.Keys();
        }
        Set<String> names = Covering.fields(query, residual, direction == 0);
        return names != null && Covering.isPossible(bounds, names)
                ? new Supply.Fields(names, index.columnsOf(names))
                : new Supply.Documents();
    }

    /** How many columns have the values of which each is wanted once; 0 if the scan must not pass over keys. */
    int distinctColumns(Query query) {
        Query.Distinct wanted = query.distinct();
        return wanted != null && direction != 0 && exploded.isEmpty() ? DistinctColumns.of(bounds, wanted) : 0;
    }

    /** Each in the order wanted. */
    List<Plan.IndexScan> scans(Collection collection, QueryMemory memory) {
        List<Plan.IndexScan> scans = new ArrayList<>();
        for (IndexBounds each : exploded.isEmpty() ? List.of(bounds) : exploded) {
            KeyBounds keys = exploded.isEmpty() ? range : KeyBounds.of(each);
            scans.add(new Plan.IndexScan(
                    collection, each, keys, direction < 0, residual, new Supply.Documents(), 0, false, memory));
        }
        return scans;
    }
}

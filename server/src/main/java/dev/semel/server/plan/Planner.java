package dev.semel.server.plan;

import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.Comparison;
import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.query.filter.Nearness;
import dev.semel.query.filter.TextPlacement;
import dev.semel.query.pipeline.GeoNear;
import dev.semel.query.value.DottedPath;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.store.Snapshot;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how to answer a query. There is always a plan: at worst every document is looked at. With several indexes to
 * choose from, the keys in their bounds are counted, up to a limit, in the snapshot that the query will read.
 */
public final class Planner {
    private static final DottedPath ID = DottedPath.of("_id");

    private final QueryMemory memory;
    private final IndexFilters filters;

    /** For queries that run alone. */
    public Planner() {
        this(QueryMemory.unlimited(), new IndexFilters());
    }

    /** With what a sort may hold. */
    public Planner(QueryMemory memory, IndexFilters filters) {
        this.memory = memory;
        this.filters = filters;
    }

    /**
     * How to answer a query.
     *
     * @param collection null if it does not exist
     * @param snapshot the one that the plan will be opened with, so that the catalog's knowledge of arrays is no older
     */
    public Plan plan(@Nullable Collection collection, Query query, Snapshot snapshot) {
        if (TextPlacement.isIn(query.filter())) {
            SearchPlans.check(collection, query);
        }
        if (collection == null) {
            return finish(new Plan.Nothing(), query, false, memory);
        }
        Plan near = near(collection, query);
        if (near != null) {
            return finish(near, query, !query.sort().isEmpty(), memory);
        }
        IndexFilters.IndexFilter filter = filters.of(collection, query);
        if (filter != null) {
            // It counts more than a hint does.
            List<Index> allowed =
                    collection.indexes().stream().filter(filter::allows).toList();
            return new Choice(collection, allowed, query.hinted(null), snapshot, memory).plan();
        }
        if (query.hint() == null) {
            Value id = idOf(query.filter(), collection);
            if (id != null) {
                Plan byId = new Plan.ById(collection, collection.key(id), id, Filters.ALL);
                return query.skip() == 0 && query.projection().isEmpty() ? byId : finish(byId, query, false, memory);
            }
        }
        return new Choice(collection, collection.indexes(), query, snapshot, memory).plan();
    }

    /** Whether the indexes are limited that a query may use. */
    public boolean isFiltered(@Nullable Collection collection, Query query) {
        return collection != null && filters.of(collection, query) != null;
    }

    /** A search by distance has but one kind of plan; null if it is none. */
    private @Nullable Plan near(Collection collection, Query query) {
        NearPlans plans = new NearPlans(collection, query, memory);
        GeoNear stage = query.nearest();
        Filter.Near search = stage == null ? Nearness.of(query.filter()) : plans.search(stage);
        return search == null ? null : plans.plan(search);
    }

    /** The {@code _id} that a filter asks for and nothing else. */
    private static @Nullable Value idOf(Filter filter, Collection collection) {
        return filter instanceof Filter.Field(DottedPath path, Condition.Compare compare)
                        && compare.comparison() == Comparison.EQ
                        && path.equals(ID)
                        && !(compare.value() instanceof Value.Array)
                        && collection.identifies(compare.value(), compare.collation())
                ? compare.value()
                : null;
    }

    /** Adds what happens to the documents once they are found. */
    private static Plan finish(Plan found, Query query, boolean toSort, QueryMemory memory) {
        Plan plan = found;
        boolean limited = query.limit() > 0 && query.limit() < Long.MAX_VALUE - query.skip();
        if (toSort) {
            plan = new Plan.Sorted(
                    plan, query.sort(), limited ? query.skip() + query.limit() : 0, query.allowDiskUse(), memory);
        }
        if (query.skip() > 0) {
            plan = new Plan.Skipped(plan, query.skip());
        }
        if (limited && !toSort) {
            plan = new Plan.Limited(plan, query.limit());
        }
        return query.projection().isEmpty() ? plan : new Plan.Projected(plan, query.projection());
    }

    /**
     * One query on one collection.
     *
     * @param indexes that may be used
     */
    private record Choice(
            Collection collection, List<Index> indexes, Query query, Snapshot snapshot, QueryMemory memory) {

        Plan plan() {
            Demand.Conjunction conjunction = Demand.conjunction(query.filter());
            if (conjunction.isImpossible()) {
                return finish(new Plan.Nothing(), query, false, memory);
            }
            if (TextPlacement.isIn(query.filter())) {
                return search(conjunction);
            }
            if (!query.min().isEmpty() || !query.max().isEmpty()) {
                Index index = Hints.forBounds(collection, query);
                KeyRange range = Hints.range(index, query.min(), query.max());
                IndexBounds all = IndexBounds.of(index, Demand.conjunction(Filters.ALL));
                return scan(new Candidate(
                        index, all, KeyBounds.of(range), query.filter(), all.direction(query.sort()), List.of()));
            }
            Value hint = query.hint();
            if (hint != null) {
                return hinted(hint, conjunction);
            }
            return find(conjunction);
        }

        private Plan hinted(Value hint, Demand.Conjunction conjunction) {
            int natural = Hints.natural(hint);
            if (natural != 0) {
                return everything(natural < 0);
            }
            Index index = Hints.index(collection, hint);
            Hints.requireComplete(collection, index, query.filter());
            List<IndexBounds> ways = IndexBounds.all(index, conjunction, snapshot);
            if (ways.isEmpty()) {
                throw Hints.noSolution(collection);
            }
            if (ways.stream().anyMatch(IndexBounds::isEmpty)) {
                return finish(new Plan.Nothing(), query, false, memory);
            }
            List<Candidate> candidates =
                    ways.stream().map(each -> candidate(each, conjunction)).toList();
            return scan(new Contest(query, snapshot).best(candidates, null));
        }

        /** Only an index answers a search for words, so every alternative beside it must have an index too. */
        private Plan search(Demand.Conjunction conjunction) {
            Plan direct = new SearchPlans(collection, query, memory).plan(conjunction);
            if (direct != null) {
                return finish(direct, query, !query.sort().isEmpty() && !SearchPlans.sorts(query), memory);
            }
            for (Filter each : conjunction.conjuncts()) {
                if (each instanceof Filter.Or(List<Filter> any) && TextPlacement.isIn(each)) {
                    Plan union = union(conjunction, each, any);
                    if (union != null) {
                        return finish(union, query, !query.sort().isEmpty(), memory);
                    }
                }
            }
            throw SearchPlans.refused(
                    collection,
                    "Failed to produce a solution for TEXT under OR - other non-TEXT clauses under OR have to be"
                            + " indexed as well.");
        }

        private Plan everything(boolean reverse) {
            return finish(
                    new Plan.CollectionScan(collection, query.filter(), reverse),
                    query,
                    !query.sort().isEmpty(),
                    memory);
        }

        private Plan find(Demand.Conjunction conjunction) {
            Plan byId = indexes.contains(collection.indexes().getFirst()) ? byId(conjunction) : null;
            if (byId != null) {
                return byId;
            }
            List<Candidate> bounded = new ArrayList<>();
            Candidate sorting = null;
            Candidate distinct = null;
            for (Index index : indexes) {
                if (!isComplete(index, conjunction) || !isOfUse(index, conjunction)) {
                    continue;
                }
                for (IndexBounds bounds : IndexBounds.all(index, conjunction, snapshot)) {
                    if (bounds.isEmpty()) {
                        return finish(new Plan.Nothing(), query, false, memory);
                    }
                    Candidate candidate = candidate(bounds, conjunction);
                    if (isDistinct(bounds)
                            && (distinct == null
                                    || bounds.boundedPrefix()
                                            > distinct.bounds().boundedPrefix())) {
                        distinct = candidate;
                    }
                    if (bounds.boundedPrefix() > 0 || isSmaller(index)) {
                        bounded.add(candidate);
                    } else if (sorting == null && !query.sort().isEmpty() && candidate.direction() != 0) {
                        sorting = candidate;
                    }
                }
            }
            if (distinct != null && (bounded.isEmpty() || distinct.residual().equals(Filters.ALL))) {
                return scan(distinct);
            }
            if (!bounded.isEmpty()) {
                return scan(new Contest(query, snapshot).best(bounded, sorting));
            }
            Plan merge = merge(conjunction);
            if (merge != null) {
                return finish(merge, query, false, memory);
            }
            Plan union = union(conjunction);
            if (union != null) {
                return finish(union, query, !query.sort().isEmpty(), memory);
            }
            return sorting != null ? scan(sorting) : everything(false);
        }

        /** Whether a scan can pass from value to value. */
        private boolean isDistinct(IndexBounds bounds) {
            Query.Distinct wanted = query.distinct();
            return wanted != null && DistinctColumns.of(bounds, wanted) > 0;
        }

        private @Nullable Plan byId(Demand.Conjunction conjunction) {
            for (Filter each : conjunction.conjuncts()) {
                Value id = idOf(each, collection);
                if (id != null) {
                    List<Filter> rest = new ArrayList<>(conjunction.conjuncts());
                    rest.remove(each);
                    Filter residual = new Demand.Conjunction(rest, List.of(), false).filter();
                    return finish(new Plan.ById(collection, collection.key(id), id, residual), query, false, memory);
                }
            }
            return null;
        }

        /** Whether the index has every document that the query may find. */
        private boolean isComplete(Index index, Demand.Conjunction conjunction) {
            if (index.spec().hidden()) {
                return false;
            }
            Filter partial = index.partialFilter();
            if (partial != null) {
                return Implication.implies(query.filter(), partial);
            }
            return !index.spec().sparse() || requiresAny(index, conjunction);
        }

        /** An index on shapes has no others, so it finds nothing but what a predicate on shapes asks for. */
        private static boolean isOfUse(Index index, Demand.Conjunction conjunction) {
            if (index.kind() == IndexKind.TEXT) {
                return false;
            }
            return !index.kind().isGeo()
                    || index.columns().stream()
                            .filter(column -> column.kind().isGeo())
                            .anyMatch(column -> conjunction.of(column.path()).stream()
                                    .anyMatch(demand -> ColumnBounds.predicate(demand, index, column) != null));
        }

        private static boolean requiresAny(Index index, Demand.Conjunction conjunction) {
            return conjunction.demands().stream()
                    .anyMatch(each -> each.excludesMissing() && index.paths().contains(each.path()));
        }

        /** An index without some documents is worth a scan although its bounds are none. */
        private static boolean isSmaller(Index index) {
            return index.partialFilter() != null || index.spec().sparse();
        }

        private Candidate candidate(IndexBounds bounds, Demand.Conjunction conjunction) {
            return Candidate.of(bounds, conjunction, query);
        }

        private Plan scan(Candidate candidate) {
            return finish(candidate.source(collection, query), query, candidate.direction() == 0, memory);
        }

        /** Each alternative by its own index, if every one has one. */
        private @Nullable Plan union(Demand.Conjunction conjunction) {
            for (Filter each : conjunction.conjuncts()) {
                if (each instanceof Filter.Or(List<Filter> any)) {
                    Plan union = union(conjunction, each, any);
                    if (union != null) {
                        return union;
                    }
                }
            }
            return null;
        }

        private @Nullable Plan union(Demand.Conjunction conjunction, Filter or, List<Filter> any) {
            List<Filter> rest = new ArrayList<>(conjunction.conjuncts());
            rest.remove(or);
            List<Plan> plans = new ArrayList<>();
            for (Filter branch : any) {
                List<Filter> all = new ArrayList<>(rest);
                all.add(branch);
                Query alone = Query.of(new Filter.And(List.copyOf(all))).wantingTextScore(query.needsTextScore());
                Plan plan = new Choice(collection, indexes, alone, snapshot, memory).plan();
                switch (plan) {
                    case Plan.Nothing ignored -> {}
                    case Plan.IndexScan scan -> plans.add(scan);
                    case Plan.Search search -> plans.add(search);
                    case Plan.ById byId -> plans.add(byId);
                    case Plan.Union union -> plans.addAll(union.any());
                    default -> {
                        return null;
                    }
                }
            }
            return plans.isEmpty() ? new Plan.Nothing() : new Plan.Union(collection, List.copyOf(plans), Filters.ALL);
        }

        /** Alternatives that each have an index with the order wanted. */
        private @Nullable Plan merge(Demand.Conjunction conjunction) {
            if (query.sort().isEmpty()) {
                return null;
            }
            for (Filter each : conjunction.conjuncts()) {
                if (each instanceof Filter.Or(List<Filter> any)) {
                    List<Plan.IndexScan> scans = new ArrayList<>();
                    for (Filter branch : any) {
                        List<Plan.IndexScan> more = new Choice(
                                        collection, indexes, alone(conjunction, each, branch), snapshot, memory)
                                .inOrder();
                        if (more == null || scans.size() + more.size() > ExplodedBounds.SCANS_MAX) {
                            return null;
                        }
                        scans.addAll(more);
                    }
                    return scans.isEmpty() ? new Plan.Nothing() : new Plan.Merge(collection, scans, query.sort(), true);
                }
            }
            return null;
        }

        /** The scans of the index whose bounds say most and which has the order wanted; null if there is none. */
        private @Nullable List<Plan.IndexScan> inOrder() {
            Demand.Conjunction conjunction = Demand.conjunction(query.filter());
            if (conjunction.isImpossible()) {
                return List.of();
            }
            Candidate best = null;
            for (Index index : indexes) {
                if (!isComplete(index, conjunction) || !isOfUse(index, conjunction)) {
                    continue;
                }
                for (IndexBounds bounds : IndexBounds.all(index, conjunction, snapshot)) {
                    if (bounds.isEmpty()) {
                        return List.of();
                    }
                    Candidate candidate = candidate(bounds, conjunction);
                    boolean usable = bounds.boundedPrefix() > 0 && candidate.direction() != 0;
                    if (usable && (best == null || candidate.points() > best.points())) {
                        best = candidate;
                    }
                }
            }
            return best == null ? null : best.scans(collection);
        }

        /** One of several alternatives with all else that is asked. */
        private Query alone(Demand.Conjunction conjunction, Filter or, Filter branch) {
            List<Filter> all = new ArrayList<>(conjunction.conjuncts());
            all.remove(or);
            all.add(branch);
            return Query.of(new Filter.And(List.copyOf(all))).sorted(query.sort());
        }
    }
}

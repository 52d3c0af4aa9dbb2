package dev.semel.server.plan;

import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.Comparison;
import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.query.filter.TextPlacement;
import dev.semel.query.value.DottedPath;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.store.Snapshot;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One query on one collection.
 *
 * @param indexes that may be used
 * @param given how many of the first conditions are those around a branch of an {@code $or}: alternatives among them have
 *     had their turn, and to plan them again for each branch would take exponential time
 */
record Choice(Collection collection, List<Index> indexes, Query query, int given, Scene scene) {
    /** As in MongoDB. */
    static final int CONTENDERS_MAX = 64;

    /** By how much more work than in the trial a plan from the cache may fail before all are tried again. */
    private static final int TOLERANCE = 10;

    private static final DottedPath ID = DottedPath.of("_id");

    /**
     * Where plans are tried.
     *
     * @param explains whether every plan is to be shown, so that the cache is neither used nor changed
     */
    record Scene(Snapshot snapshot, Interruption interruption, QueryMemory memory, PlanCache cache, boolean explains) {}

    Decision decide() {
        Demand.Conjunction conjunction = Demand.conjunction(query.filter());
        if (conjunction.isImpossible()) {
            return nothing();
        }
        if (TextPlacement.isIn(query.filter())) {
            return Decision.of(search(conjunction));
        }
        if (!query.min().isEmpty() || !query.max().isEmpty()) {
            Index index = Hints.forBounds(collection, query);
            KeyRange range = Hints.range(index, query.min(), query.max());
            IndexBounds all = IndexBounds.of(index, Demand.conjunction(Filters.ALL));
            return Decision.of(scan(new Candidate(
                    index, all, KeyBounds.of(range), query.filter(), all.direction(query.sort()), List.of())));
        }
        Value hint = query.hint();
        return hint != null ? hinted(hint, conjunction) : find(conjunction);
    }

    private Decision nothing() {
        return Decision.of(finish(new Plan.Nothing(), query, false, scene.memory));
    }

    private Decision everything(boolean reverse) {
        Set<String> needed = Covering.fields(query, Filters.ALL, true);
        Plan scan = new Plan.CollectionScan(collection, query.filter(), reverse, needed);
        return Decision.of(finish(scan, query, !query.sort().isEmpty(), scene.memory));
    }

    private Decision hinted(Value hint, Demand.Conjunction conjunction) {
        int natural = Hints.natural(hint);
        if (natural != 0) {
            return everything(natural < 0);
        }
        Index index = Hints.index(collection, hint);
        Hints.requireComplete(collection, index, query.filter());
        List<IndexBounds> ways = IndexBounds.all(index, conjunction, scene.snapshot);
        if (ways.isEmpty()) {
            throw Hints.noSolution(collection);
        }
        if (ways.stream().anyMatch(IndexBounds::isEmpty)) {
            return nothing();
        }
        return among(ways.stream()
                .map(each -> contender(Candidate.of(each, conjunction, query)))
                .toList());
    }

    /** Only an index answers a search for words, so every alternative beside it must have an index too. */
    private Plan search(Demand.Conjunction conjunction) {
        Plan direct = new SearchPlans(collection, query, scene.memory).plan(conjunction);
        if (direct != null) {
            return finish(direct, query, !query.sort().isEmpty() && !SearchPlans.sorts(query), scene.memory);
        }
        Plan union = new Alternatives(this, conjunction).union(TextPlacement::isIn);
        if (union != null) {
            return finish(union, query, !query.sort().isEmpty(), scene.memory);
        }
        throw SearchPlans.refused(
                collection,
                "Failed to produce a solution for TEXT under OR - other non-TEXT clauses under OR have to be"
                        + " indexed as well.");
    }

    // ---- any other query

    private Decision find(Demand.Conjunction conjunction) {
        Plan byId = indexes.contains(collection.indexes().getFirst()) ? byId(conjunction) : null;
        if (byId != null) {
            return Decision.of(byId);
        }
        List<Candidate> all = candidates(conjunction);
        if (all == null) {
            return nothing();
        }
        List<Candidate> bounded = new ArrayList<>();
        Candidate sorting = null;
        Candidate distinct = null;
        for (Candidate each : all) {
            IndexBounds bounds = each.bounds();
            if (each.distinctColumns(query) > 0
                    && (distinct == null
                            || bounds.boundedPrefix() > distinct.bounds().boundedPrefix())) {
                distinct = each;
            }
            if (bounds.boundedPrefix() > 0 || isSmaller(each.index())) {
                bounded.add(each);
            } else if (sorting == null && !query.sort().isEmpty() && each.direction() != 0) {
                sorting = each;
            }
        }
        if (distinct != null && passes(distinct, bounded)) {
            return Decision.of(scan(distinct));
        }
        for (Candidate each : bounded) {
            if (each.findsOne()) {
                return Decision.of(scan(each));
            }
        }
        if (bounded.size() == 1 && sorting == null && !Alternatives.areIn(conjunction)) {
            return Decision.of(scan(bounded.getFirst()));
        }
        return among(contenders(conjunction, bounded, sorting));
    }

    /** What may be of use: each index with each of its bounds; null if one shows that no document can match. */
    @Nullable
    List<Candidate> candidates(Demand.Conjunction conjunction) {
        List<Candidate> candidates = new ArrayList<>();
        for (Index index : indexes) {
            if (isComplete(index, conjunction) && isOfUse(index, conjunction)) {
                for (IndexBounds bounds : IndexBounds.all(index, conjunction, scene.snapshot)) {
                    if (bounds.isEmpty()) {
                        return null;
                    }
                    candidates.add(Candidate.of(bounds, conjunction, query));
                }
            }
        }
        return candidates;
    }

    /**
     * @param sorting an index without bounds that has the order wanted; null if there is none
     */
    private List<Contender> contenders(
            Demand.Conjunction conjunction, List<Candidate> bounded, @Nullable Candidate sorting) {
        List<Contender> contenders = new ArrayList<>();
        bounded.forEach(each -> contenders.add(contender(each)));
        contenders.addAll(Intersections.contenders(this, conjunction, bounded));
        boolean inOrder = bounded.stream().anyMatch(each -> each.direction() != 0);
        Contender alternatives = new Alternatives(this, conjunction).contender(bounded);
        if (alternatives != null) {
            contenders.add(alternatives);
            inOrder |= !alternatives.sorts();
        }
        // Without a limit, who has to find all documents finds them sooner within bounds.
        if (sorting != null && (contenders.isEmpty() || (query.limit() > 0 && !inOrder))) {
            contenders.add(contender(sorting));
        }
        return contenders;
    }

    private Contender contender(Candidate candidate) {
        return new Contender(
                candidate.id(),
                scan(candidate),
                candidate.points(),
                candidate.direction() == 0,
                candidate.supply(query) instanceof Supply.Documents);
    }

    /** The best of several plans: the one that the cache has, if it keeps what it promises, or the winner of a trial. */
    private Decision among(List<Contender> all) {
        if (all.isEmpty()) {
            return everything(false);
        }
        if (all.size() == 1) {
            return Decision.of(all.getFirst().plan());
        }
        List<Contender> contenders = all.size() <= CONTENDERS_MAX
                ? all
                : all.stream()
                        .sorted(Comparator.comparing(Contender::points, Comparator.reverseOrder()))
                        .limit(CONTENDERS_MAX)
                        .toList();
        PlanKey key = PlanKey.of(query, contenders);
        Decision cached = scene.explains ? null : cached(contenders, key);
        if (cached != null) {
            return cached;
        }
        Race.Result result = race().run(contenders);
        if (result == null) {
            // It fails again where clients expect it.
            return Decision.of(contenders.getFirst().plan());
        }
        Contender winner = result.winner().contender();
        if (!scene.explains) {
            scene.cache.put(
                    collection, key, winner.id(), result.works(), () -> Explain.creation(query, result.ranking()));
        }
        boolean isCached = scene.explains && scene.cache.has(collection, key, winner.id());
        return new Decision(winner.plan(), key, result.ranking(), isCached, result.run());
    }

    private @Nullable Decision cached(List<Contender> contenders, PlanKey key) {
        PlanCache.Entry entry = scene.cache.active(collection, key);
        if (entry == null) {
            return null;
        }
        for (Contender each : contenders) {
            if (each.id().equals(entry.winner())) {
                KeptRun run = race().within(each, entry.works() * TOLERANCE);
                if (run != null) {
                    return new Decision(each.plan(), key, List.of(), true, run);
                }
            }
        }
        scene.cache.deactivate(collection, entry);
        return null;
    }

    private Race race() {
        return new Race(query, scene.snapshot, scene.interruption, scene.memory);
    }

    /** Whether a scan that passes from value to value is best: it may have to look at many documents before one matches. */
    private boolean passes(Candidate distinct, List<Candidate> bounded) {
        Query.Distinct wanted = query.distinct();
        return distinct.residual().equals(Filters.ALL) || (bounded.isEmpty() && wanted != null && !wanted.whole());
    }

    private @Nullable Plan byId(Demand.Conjunction conjunction) {
        for (Filter each : conjunction.conjuncts()) {
            Value id = idOf(each, collection);
            if (id != null) {
                List<Filter> rest = new ArrayList<>(conjunction.conjuncts());
                rest.remove(each);
                Filter residual = new Demand.Conjunction(rest, List.of(), false).filter();
                Plan found = new Plan.ById(collection, collection.key(id), id, residual);
                return finish(found, query, false, scene.memory);
            }
        }
        return null;
    }

    // ---- indexes

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

    private Plan scan(Candidate candidate) {
        Plan source = candidate.source(collection, query, scene.memory);
        return finish(source, shown(source), candidate.direction() == 0, scene.memory);
    }

    /** A pipeline or a distinct that needs some fields only is shown as a projection where an index has them. */
    private Query shown(Plan source) {
        if (!query.projection().isEmpty()
                || query.keysOnly()
                || !(source instanceof Plan.IndexScan scan && scan.supply() instanceof Supply.Fields fields)) {
            return query;
        }
        Set<String> needed = query.needed();
        BsonWriter out = new BsonWriter();
        (needed == null ? fields.names() : needed).forEach(each -> out.put(each, 1));
        if (needed == null || !needed.contains("_id")) {
            out.put("_id", 0);
        }
        return query.projected(out.finish());
    }

    // ---- around what finds the documents

    /** The {@code _id} that a filter asks for and nothing else. */
    static @Nullable Value idOf(Filter filter, Collection collection) {
        return filter instanceof Filter.Field(DottedPath path, Condition.Compare compare)
                        && compare.comparison() == Comparison.EQ
                        && path.equals(ID)
                        && !(compare.value() instanceof Value.Array)
                        && collection.identifies(compare.value(), compare.collation())
                ? compare.value()
                : null;
    }

    /** Adds what happens to the documents once they are found. */
    static Plan finish(Plan found, Query query, boolean toSort, QueryMemory memory) {
        Plan plan = found;
        boolean limited = query.limit() > 0 && query.limit() < Long.MAX_VALUE - query.skip();
        if (toSort) {
            plan = new Plan.Sorted(
                    plan,
                    query.sort(),
                    limited ? query.skip() + query.limit() : 0,
                    query.allowDiskUse(),
                    limited ? null : Covering.keptBySort(found, query),
                    memory);
        }
        if (query.skip() > 0) {
            plan = new Plan.Skipped(plan, query.skip());
        }
        if (limited && !toSort) {
            plan = new Plan.Limited(plan, query.limit());
        }
        return query.projection().isEmpty() ? plan : new Plan.Projected(plan, query.projection());
    }
}

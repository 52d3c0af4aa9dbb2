package dev.semel.server.plan;

import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.query.filter.Nearness;
import dev.semel.query.filter.TextPlacement;
import dev.semel.query.pipeline.GeoNear;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.MemoryAccount;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how to answer a query. There is always a plan: at worst every document is looked at. Where several could be used
 * they are tried, in the snapshot that the query will read, unless it is known which one won before for such queries.
 */
public final class Planner {
    private final QueryMemory memory;
    private final IndexFilters filters;
    private final PlanCache cache;

    /** For queries that run alone. */
    public Planner() {
        this(
                QueryMemory.unlimited(),
                new IndexFilters(),
                new PlanCache(MemoryAccount.unlimited().part("plans", "", () -> Long.MAX_VALUE), () -> Instant.EPOCH));
    }

    /** With what a sort may hold. */
    public Planner(QueryMemory memory, IndexFilters filters, PlanCache cache) {
        this.memory = memory;
        this.filters = filters;
        this.cache = cache;
    }

    /**
     * How to answer a query. The caller closes it, or the run it opens.
     *
     * @param collection null if it does not exist
     * @param snapshot the one that it will be opened with, so that the catalog's knowledge of arrays is no older
     */
    public Decision decide(@Nullable Collection collection, Query query, Snapshot snapshot, Interruption interruption) {
        return decide(collection, query, new Choice.Scene(snapshot, interruption, memory, cache, false));
    }

    /** The same for {@code explain}: whatever is known, all plans are tried, and nothing is learnt. */
    public Decision explain(
            @Nullable Collection collection, Query query, Snapshot snapshot, Interruption interruption) {
        return decide(collection, query, new Choice.Scene(snapshot, interruption, memory, cache, true));
    }

    /** The same for a caller who opens the plan himself, perhaps several times. */
    public Plan plan(@Nullable Collection collection, Query query, Snapshot snapshot, Interruption interruption) {
        try (Decision decision = decide(collection, query, snapshot, interruption)) {
            return decision.plan();
        }
    }

    /** The same, which nothing ends. */
    Plan plan(@Nullable Collection collection, Query query, Snapshot snapshot) {
        return plan(collection, query, snapshot, Interruption.unlimited());
    }

    private Decision decide(@Nullable Collection collection, Query query, Choice.Scene scene) {
        if (TextPlacement.isIn(query.filter())) {
            SearchPlans.check(collection, query);
        }
        if (collection == null) {
            return Decision.of(Choice.finish(new Plan.Nothing(), query, false, memory));
        }
        Plan near = near(collection, query);
        if (near != null) {
            return Decision.of(Choice.finish(near, query, !query.sort().isEmpty(), memory));
        }
        IndexFilters.IndexFilter filter = filters.of(collection, query);
        if (filter != null) {
            // It counts more than a hint does.
            List<Index> allowed =
                    collection.indexes().stream().filter(filter::allows).toList();
            return new Choice(collection, allowed, query.hinted(null), 0, scene).decide();
        }
        if (query.hint() == null) {
            Value id = Choice.idOf(query.filter(), collection);
            if (id != null) {
                Plan byId = new Plan.ById(collection, collection.key(id), id, Filters.ALL);
                return Decision.of(
                        query.skip() == 0 && query.projection().isEmpty()
                                ? byId
                                : Choice.finish(byId, query, false, memory));
            }
        }
        return new Choice(collection, collection.indexes(), query, 0, scene).decide();
    }

    /** Refuses a search that cannot be done without an index, of a collection that does not exist. */
    public static void requireNoIndex(Namespace namespace, Query query) {
        if (TextPlacement.isIn(query.filter())) {
            throw TextPlacement.collectionRequired(namespace);
        }
        if (query.nearest() != null) {
            throw new CommandException(
                    ErrorCode.NamespaceNotFound,
                    "$geoNear requires a geo index to run, but %s does not exist",
                    namespace);
        }
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
}

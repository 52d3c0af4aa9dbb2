package dev.semel.server.plan;

import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.query.pipeline.GeoNear;
import dev.semel.query.value.DottedPath;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.server.catalog.KeyColumn;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** Finds the index for a search by distance, without which there is no answer. */
final class NearPlans {
    private final Collection collection;
    private final Query query;
    private final QueryMemory memory;

    NearPlans(Collection collection, Query query, QueryMemory memory) {
        this.collection = collection;
        this.query = query;
        this.memory = memory;
    }

    /** The search that a stage means: on the one field with an index, if it names none. */
    Filter.Near search(GeoNear stage) {
        DottedPath key = stage.key();
        return new Filter.Near(key == null ? onlyField() : key, stage.near());
    }

    private DottedPath onlyField() {
        for (IndexKind kind : List.of(IndexKind.PLANE, IndexKind.SPHERE)) {
            List<Index> all = collection.indexes().stream()
                    .filter(each -> each.kind() == kind && !each.spec().hidden())
                    .toList();
            if (all.size() > 1) {
                throw new CommandException(
                        ErrorCode.IndexNotFound,
                        "There is more than one %s index on %s; unsure which to use for $geoNear",
                        kind,
                        collection.namespace());
            }
            if (!all.isEmpty()) {
                return all.getFirst().columns().stream()
                        .filter(each -> each.kind() == kind)
                        .findFirst()
                        .orElseThrow()
                        .path();
            }
        }
        throw new CommandException(
                ErrorCode.IndexNotFound, "$geoNear requires a 2d or 2dsphere index, but none were found");
    }

    Plan.Near plan(Filter.Near near) {
        Demand.Conjunction rest = rest(near);
        Plan.Near best = null;
        boolean anyIndex = false;
        for (Index index : candidates()) {
            int column = column(index, near);
            if (column < 0 || !isComplete(index)) {
                continue;
            }
            anyIndex = true;
            IndexBounds bounds = IndexBounds.of(index, rest);
            // As in any index, what stands before the column must be given.
            if (bounds.boundedPrefix() >= column && (best == null || bounded(bounds) > bounded(best.bounds()))) {
                best = new Plan.Near(collection, bounds, column, near.query(), bounds.residual(rest), memory);
            }
        }
        if (best == null) {
            throw refused(near, anyIndex ? "No query solutions" : "unable to find index for $geoNear query");
        }
        best.index().cells().check(near.query());
        return best;
    }

    private Demand.Conjunction rest(Filter.Near near) {
        Demand.Conjunction all = Demand.conjunction(query.filter());
        List<Filter> conjuncts = new ArrayList<>(all.conjuncts());
        conjuncts.remove(near);
        return new Demand.Conjunction(List.copyOf(conjuncts), all.demands(), all.isImpossible());
    }

    private List<Index> candidates() {
        Value hint = query.hint();
        if (hint == null) {
            return collection.indexes();
        }
        return Hints.natural(hint) != 0 ? List.of() : List.of(Hints.index(collection, hint));
    }

    private static int column(Index index, Filter.Near near) {
        List<KeyColumn> columns = index.columns();
        for (int i = 0; i < columns.size(); i++) {
            KeyColumn column = columns.get(i);
            if (column.kind().isGeo()
                    && column.path().equals(near.path())
                    && index.cells().fits(near.query())) {
                return i;
            }
        }
        return -1;
    }

    private boolean isComplete(Index index) {
        Filter partial = index.partialFilter();
        return !index.spec().hidden() && (partial == null || Implication.implies(query.filter(), partial));
    }

    private static long bounded(IndexBounds bounds) {
        return bounds.fields().stream().filter(each -> !each.isAll()).count();
    }

    private CommandException refused(Filter.Near near, String reason) {
        String search = near.query().describe(near.path().toString());
        boolean alone = query.filter().equals(near) || query.filter().equals(Filters.ALL);
        String shown = "ns=" + collection.namespace() + "Tree: " + (alone ? "" : "$and\n    ") + search;
        return new CommandException(
                ErrorCode.NoQueryExecutionPlans,
                "error processing query: %s",
                String.join("\n", shown, "Sort: {}", "Proj: {}", " planner returned error :: caused by :: " + reason));
    }
}

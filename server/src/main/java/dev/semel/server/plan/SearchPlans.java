package dev.semel.server.plan;

import dev.semel.query.expression.Metadata;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.Comparison;
import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.TextPlacement;
import dev.semel.query.text.TextQuery;
import dev.semel.query.text.TextSearch;
import dev.semel.query.value.SortPattern;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.server.catalog.KeyColumn;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the text index for a search for words, without which there is no answer. */
final class SearchPlans {
    private final Collection collection;
    private final Query query;
    private final QueryMemory memory;

    SearchPlans(Collection collection, Query query, QueryMemory memory) {
        this.collection = collection;
        this.query = query;
        this.memory = memory;
    }

    /** What must be so wherever in the filter the search stands. */
    static void check(@Nullable Collection collection, Query query) {
        if (collection == null || index(collection) == null) {
            throw TextPlacement.indexRequired();
        }
        if (query.hint() != null) {
            throw new CommandException(ErrorCode.BadValue, "text and hint not allowed in same query");
        }
    }

    private static @Nullable Index index(Collection collection) {
        return collection.indexes().stream()
                .filter(each -> each.kind() == IndexKind.TEXT && !each.spec().hidden())
                .findFirst()
                .orElse(null);
    }

    /** Whether a search is in order without being sorted. */
    static boolean sorts(Query query) {
        List<SortPattern.Part> parts = query.sort().parts();
        return parts.size() == 1 && Metadata.TEXT_SCORE.equals(SortPattern.metadata(parts.getFirst()));
    }

    /** A plan for the search among the conditions that must all hold; null if it is in none of them directly. */
    Plan.@Nullable Search plan(Demand.Conjunction conjunction) {
        for (Filter each : conjunction.conjuncts()) {
            if (each instanceof Filter.Text(TextSearch search)) {
                List<Filter> rest = new ArrayList<>(conjunction.conjuncts());
                rest.remove(each);
                return plan(search, new Demand.Conjunction(rest, conjunction.demands(), false));
            }
        }
        return null;
    }

    private Plan.Search plan(TextSearch search, Demand.Conjunction rest) {
        Index index = index(collection);
        if (index == null) {
            throw TextPlacement.indexRequired();
        }
        TextQuery parsed = TextQuery.of(search, index.text());
        Filter partial = index.partialFilter();
        if (partial != null && !Implication.implies(query.filter(), partial)) {
            throw notUsable();
        }
        List<Value> before = new ArrayList<>();
        for (KeyColumn column : index.columns()) {
            if (column.kind() == IndexKind.TEXT) {
                break;
            }
            before.add(equality(column, index, rest));
        }
        return new Plan.Search(
                collection, index, List.copyOf(before), parsed, rest.filter(), query.needsTextScore(), memory);
    }

    private Value equality(KeyColumn column, Index index, Demand.Conjunction rest) {
        for (Demand demand : rest.of(column.path())) {
            if (demand.conjunct() instanceof Filter.Field(var path, Condition.Compare compare)
                    && compare.comparison() == Comparison.EQ
                    && path.equals(column.path())
                    && !(compare.value() instanceof Value.Array)
                    && demand.fits(index)) {
                return compare.value();
            }
        }
        throw notUsable();
    }

    private CommandException notUsable() {
        return refused(
                collection,
                "failed to use text index to satisfy $text query (if text index is compound, are equality predicates"
                        + " given for all prefix fields?)");
    }

    static CommandException refused(Collection collection, String why) {
        return new CommandException(
                ErrorCode.NoQueryExecutionPlans,
                "error processing query: ns=%s: planner returned error :: caused by :: %s",
                collection.namespace(),
                why);
    }
}

package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites pairs of neighbouring stages until nothing changes: filters move forward to where a planner or at least fewer
 * documents await them, a sort learns how many documents are wanted, equal stages become one. Results stay the same.
 */
final class Optimizer {
    private Optimizer() {}

    static List<Stage> optimize(List<Stage> stages) {
        List<Stage> result = new ArrayList<>(stages);
        result.removeIf(stage -> stage.equals(new Match(Filters.ALL)) || stage.equals(new Skip(0)));
        for (int i = 0; i + 1 < result.size(); ) {
            List<Stage> better = rewrite(result.get(i), result.get(i + 1));
            if (better == null) {
                i++;
                continue;
            }
            result.subList(i, i + 2).clear();
            result.addAll(i, better);
            i = Math.max(0, i - 1);
        }
        limitSorts(result);
        return List.copyOf(result);
    }

    /** What does the same as these two stages, or null to leave them. */
    private static @Nullable List<Stage> rewrite(Stage first, Stage second) {
        return switch (second) {
            case Match match -> first instanceof Match earlier ? List.of(both(earlier, match)) : forward(first, match);
            case Limit(long count)
            when first instanceof Limit(long earlier) -> List.of(new Limit(Math.min(count, earlier)));
            case Skip(long count)
            when first instanceof Skip(long earlier) && earlier + count >= 0 -> List.of(new Skip(earlier + count));
            default -> null;
        };
    }

    private static Match both(Match first, Match second) {
        List<Filter> all = new ArrayList<>();
        for (Match match : List.of(first, second)) {
            if (match.filter() instanceof Filter.And(var parts)) {
                all.addAll(parts);
            } else {
                all.add(match.filter());
            }
        }
        return new Match(new Filter.And(List.copyOf(all)));
    }

    private static @Nullable List<Stage> forward(Stage first, Match match) {
        return FilterFields.isRepeatable(match.filter()) && isIndependent(first, match) ? List.of(match, first) : null;
    }

    /** Whether the filter sees before the stage what it would see after it. */
    private static boolean isIndependent(Stage stage, Match match) {
        FieldSet read = new FieldSet();
        FilterFields.collect(match.filter(), read);
        return switch (stage) {
            case Sort sort -> sort.limit() == Sort.UNLIMITED;
            case Project(Reshape reshape) ->
                !read.isWhole() && read.names().stream().allMatch(reshape::keeps);
            case AddFields(Reshape reshape) ->
                !read.isWhole() && read.names().stream().allMatch(reshape::keeps);
            case Unwind(var path, var index, boolean preserve) ->
                !read.isWhole()
                        && !read.names().contains(path.first())
                        && (index == null || !read.names().contains(index.first()));
            case Lookup lookup ->
                !read.isWhole() && !read.names().contains(lookup.as().first());
            case GraphLookup lookup ->
                !read.isWhole() && !read.names().contains(lookup.as().first());
            case BucketAuto ignored -> false;
            case Count ignored -> false;
            case Densify ignored -> false;
            case Facet ignored -> false;
            case Group ignored -> false;
            case Limit ignored -> false;
            case Match ignored -> false;
            case Redact ignored -> false;
            case ReplaceRoot ignored -> false;
            case Sample ignored -> false;
            case SetWindowFields ignored -> false;
            case Skip ignored -> false;
            case UnionWith ignored -> false;
        };
    }

    /** A sort that is followed by a limit, perhaps after a skip, needs to hold no more than that many documents. */
    private static void limitSorts(List<Stage> stages) {
        for (int i = 0; i < stages.size(); i++) {
            if (!(stages.get(i) instanceof Sort sort)) {
                continue;
            }
            long skipped = 0;
            int next = i + 1;
            if (next < stages.size() && stages.get(next) instanceof Skip(long count)) {
                skipped = count;
                next++;
            }
            if (next < stages.size() && stages.get(next) instanceof Limit(long count) && skipped + count > 0) {
                stages.set(i, new Sort(sort.order(), skipped + count));
                if (skipped == 0) {
                    stages.remove(next);
                }
            }
        }
    }
}

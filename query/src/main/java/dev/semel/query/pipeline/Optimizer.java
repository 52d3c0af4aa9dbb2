package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites pairs of neighbouring stages until nothing changes: filters move forward to where a planner or at least fewer
 * documents await them, a sort learns how many documents are wanted, equal stages become one, and what is looked up for nobody is
 * not looked up. Results stay the same.
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
        removeUnread(result);
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
            case Limit limit when isOneToOne(first) -> List.of(limit, first);
            case Skip skip when isOneToOne(first) -> List.of(skip, first);
            case Unwind unwind
            when first instanceof Lookup lookup
                    && lookup.unwound() == null
                    && unwind.path().equals(lookup.as()) -> List.of(lookup.unwoundBy(unwind));
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

    /** Whether each document makes one and none depends on others, so that it can be left out before as well as after. */
    private static boolean isOneToOne(Stage stage) {
        return switch (stage) {
            case AddFields ignored -> true;
            case GraphLookup ignored -> true;
            case Lookup lookup -> lookup.unwound() == null;
            case Project ignored -> true;
            case ReplaceRoot ignored -> true;
            default -> false;
        };
    }

    /** Those of the conditions that see the same before the stage go there. */
    private static @Nullable List<Stage> forward(Stage first, Match match) {
        List<Filter> before = new ArrayList<>();
        List<Filter> after = new ArrayList<>();
        for (Filter each : match.filter() instanceof Filter.And(var all) ? all : List.of(match.filter())) {
            Filter earlier = FilterFields.isRepeatable(each) ? before(first, each) : null;
            if (earlier == null) {
                after.add(each);
            } else {
                before.add(earlier);
            }
        }
        if (before.isEmpty()) {
            return null;
        }
        Match moved = match(before);
        return after.isEmpty() ? List.of(moved, first) : List.of(moved, first, match(after));
    }

    private static Match match(List<Filter> all) {
        return new Match(all.size() == 1 ? all.getFirst() : new Filter.And(List.copyOf(all)));
    }

    /** What asks the same before the stage; null if there is nothing. */
    private static @Nullable Filter before(Stage stage, Filter filter) {
        return switch (stage) {
            case Project(Reshape reshape) -> RenamedFilter.before(filter, reshape);
            case AddFields(Reshape reshape) -> RenamedFilter.before(filter, reshape);
            default -> isIndependent(stage, filter) ? filter : null;
        };
    }

    /** Whether the filter sees before the stage what it would see after it. */
    private static boolean isIndependent(Stage stage, Filter filter) {
        FieldSet read = new FieldSet();
        FilterFields.collect(filter, read);
        return switch (stage) {
            case Sort sort -> sort.limit() == Sort.UNLIMITED;
            case AddFields ignored -> false;
            case Project ignored -> false;
            case Unwind(var path, var index, boolean preserve) ->
                !read.isWhole()
                        && !read.names().contains(path.first())
                        && (index == null || !read.names().contains(index.first()));
            case Lookup lookup ->
                !read.isWhole()
                        && !read.names().contains(lookup.as().first())
                        && (lookup.unwound() == null
                                || lookup.unwound().index() == null
                                || !read.names()
                                        .contains(lookup.unwound().index().first()));
            case GraphLookup lookup ->
                !read.isWhole() && !read.names().contains(lookup.as().first());
            case BucketAuto ignored -> false;
            case Count ignored -> false;
            case Densify ignored -> false;
            case Facet ignored -> false;
            // The plan looks at whole documents before it knows their distance.
            case GeoNear ignored -> false;
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

    /** Nobody looks up what no later stage reads. Taken apart, it would make a difference to how many documents there are. */
    private static void removeUnread(List<Stage> stages) {
        for (int i = stages.size() - 2; i >= 0; i--) {
            if (stages.get(i) instanceof Lookup lookup && lookup.unwound() == null) {
                FieldSet read = Pipeline.fields(stages.subList(i + 1, stages.size()));
                if (!read.isWhole() && !read.names().contains(lookup.as().first())) {
                    stages.remove(i);
                }
            }
        }
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

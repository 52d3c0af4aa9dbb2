package dev.semel.server.plan;

import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.server.catalog.Index;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one of the conditions that must all hold demands of one path.
 *
 * @param conjunct the condition it comes from, of those that must hold
 * @param collation under which the texts in the intervals are keys
 * @param element the {@code $elemMatch} around it, whose demands are all about the same element
 * @param needsNoArrays of no use in an index that has met an array on the path
 * @param excludesMissing a document without the path does not match
 */
record Demand(
        DottedPath path,
        Filter conjunct,
        Intervals intervals,
        Exactness exact,
        boolean needsNoArrays,
        boolean excludesMissing,
        @Nullable Element element,
        Collation collation) {

    /** Whether the intervals say something about the keys of an index. */
    boolean fits(Index index) {
        return collation.equals(index.collation()) || intervals.areFree();
    }

    /** The same about other values, among which those of different meaning may be equal. */
    Demand within(Intervals others, Collation of) {
        return new Demand(path, conjunct, others, Exactness.NEVER, needsNoArrays, excludesMissing, element, of);
    }

    /** The arrays of which one element has to satisfy several demands; distinguished by identity. */
    static final class Element {
        private final DottedPath array;

        private Element(DottedPath array) {
            this.array = array;
        }

        /** The position of the array in the paths of the demands. */
        int step() {
            return array.size() - 1;
        }
    }

    /** The conditions that must all hold, and what they demand. */
    record Conjunction(List<Filter> conjuncts, List<Demand> demands, boolean isImpossible) {
        Filter filter() {
            return switch (conjuncts.size()) {
                case 0 -> Filters.ALL;
                case 1 -> conjuncts.getFirst();
                default -> new Filter.And(conjuncts);
            };
        }

        List<Demand> of(DottedPath path) {
            List<Demand> found = new ArrayList<>();
            for (Demand each : demands) {
                if (each.path.equals(path)) {
                    found.add(each);
                }
            }
            return found;
        }
    }

    static Conjunction conjunction(Filter filter) {
        List<Filter> conjuncts = new ArrayList<>();
        flatten(filter, conjuncts);
        boolean impossible = conjuncts.contains(new Filter.Always(false));
        conjuncts.removeIf(each -> each.equals(Filters.ALL));
        List<Demand> demands = new ArrayList<>();
        for (Filter conjunct : conjuncts) {
            new Collector(conjunct, demands).collect(conjunct, null, null);
        }
        return new Conjunction(List.copyOf(conjuncts), demands, impossible);
    }

    private static void flatten(Filter filter, List<Filter> into) {
        if (filter instanceof Filter.And(List<Filter> all)) {
            all.forEach(each -> flatten(each, into));
        } else {
            into.add(filter);
        }
    }

    private record Collector(Filter conjunct, List<Demand> into) {

        void collect(Filter filter, @Nullable DottedPath prefix, @Nullable Element element) {
            switch (filter) {
                case Filter.Field(DottedPath path, Condition condition) -> field(path, condition, prefix, element);
                case Filter.Not(Filter.Field(DottedPath path, Condition condition)) ->
                    denied(path, condition, prefix, element, filter.equals(conjunct));
                case Filter.Nor(List<Filter> none) -> {
                    for (Filter each : none) {
                        if (each instanceof Filter.Field(DottedPath path, Condition condition)) {
                            denied(path, condition, prefix, element, false);
                        }
                    }
                }
                case Filter.And(List<Filter> all) -> all.forEach(each -> collect(each, prefix, element));
                case Filter.Or(List<Filter> any) -> alternatives(any, prefix, element);
                case Filter.Not ignored -> {}
                case Filter.Near ignored -> {}
                case Filter.Text ignored -> {}
                case Filter.Always ignored -> {}
                case Filter.Sample ignored -> {}
                case Filter.Script ignored -> {}
                case Filter.Expr ignored -> {}
                case Filter.Schema ignored -> {}
            }
        }

        private void field(
                DottedPath path, Condition condition, @Nullable DottedPath prefix, @Nullable Element element) {
            DottedPath full = prefix == null ? path : prefix.append(path);
            if (prefix != null && hasPosition(path)) {
                // Inside an element, a number may mean a position that an index on the whole path does not know.
                return;
            }
            if (condition instanceof Condition.ElemMatchDocument(Filter inner)) {
                collect(inner, full, new Element(full));
                return;
            }
            if (hasPosition(path) && matchesMissing(condition)) {
                // A filter also takes the number for a name, which is missing in the array's documents; an index does
                // not.
                return;
            }
            ConditionBounds bounds = ConditionBounds.of(condition);
            boolean whole = conjunct instanceof Filter.Field && prefix == null && !hasPosition(path);
            into.add(new Demand(
                    full,
                    conjunct,
                    bounds.intervals(),
                    whole ? bounds.exact() : Exactness.NEVER,
                    false,
                    !matchesMissing(condition),
                    condition instanceof Condition.ElemMatchValue ? new Element(full) : element,
                    bounds.collation()));
        }

        /** The values that a condition does not mean, if its bounds say exactly which it does mean. */
        private void denied(
                DottedPath path,
                Condition condition,
                @Nullable DottedPath prefix,
                @Nullable Element element,
                boolean whole) {
            if (prefix != null || hasPosition(path)) {
                return;
            }
            if (condition instanceof Condition.Exists) {
                Intervals missing = Intervals.point(Value.NULL);
                into.add(new Demand(path, conjunct, missing, Exactness.NEVER, false, false, element, Collation.SIMPLE));
                return;
            }
            ConditionBounds bounds = ConditionBounds.of(condition);
            boolean isDenial = condition instanceof Condition.Compare || condition instanceof Condition.In;
            if (!isDenial || bounds.exact() == Exactness.NEVER) {
                return;
            }
            into.add(new Demand(
                    path,
                    conjunct,
                    bounds.intervals().complement(),
                    whole ? Exactness.WITHOUT_ARRAYS : Exactness.NEVER,
                    bounds.exact() != Exactness.ALWAYS,
                    path.size() == 1 && matchesMissing(condition),
                    element,
                    bounds.collation()));
        }

        /** Alternatives about one and the same path are like the values of an {@code $in}. */
        private void alternatives(List<Filter> any, @Nullable DottedPath prefix, @Nullable Element element) {
            if (prefix != null || !(any.getFirst() instanceof Filter.Field(DottedPath path, Condition ignored))) {
                return;
            }
            List<Interval> intervals = new ArrayList<>();
            Exactness exact = hasPosition(path) ? Exactness.NEVER : Exactness.ALWAYS;
            boolean excludesMissing = true;
            Collation collation = Collation.SIMPLE;
            boolean free = true;
            for (Filter each : any) {
                if (!(each instanceof Filter.Field(DottedPath other, Condition condition)) || !other.equals(path)) {
                    return;
                }
                if (hasPosition(path) && matchesMissing(condition)) {
                    return;
                }
                ConditionBounds bounds = ConditionBounds.of(condition);
                if (!bounds.intervals().areFree()) {
                    if (!free && !collation.equals(bounds.collation())) {
                        return;
                    }
                    free = false;
                    collation = bounds.collation();
                }
                intervals.addAll(bounds.intervals().list());
                exact = exact.and(bounds.exact());
                excludesMissing &= !matchesMissing(condition);
            }
            boolean whole = conjunct instanceof Filter.Or;
            into.add(new Demand(
                    path,
                    conjunct,
                    Intervals.union(intervals),
                    whole ? exact : Exactness.NEVER,
                    false,
                    excludesMissing,
                    element,
                    collation));
        }
    }

    private static boolean matchesMissing(Condition condition) {
        return new Filter.Field(DottedPath.of("a"), condition).matches(RawDocument.EMPTY);
    }

    static boolean hasPosition(DottedPath path) {
        for (int i = 0; i < path.size(); i++) {
            if (path.index(i) >= 0) {
                return true;
            }
        }
        return false;
    }
}

package dev.semel.server.plan;

import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.SortPattern;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.server.catalog.KeyColumn;
import dev.semel.store.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of an index in which the documents are that a filter asks for, field by field.
 *
 * <p>Where an index has met arrays, a document may meet two demands with two different elements, and no entry meets
 * both; so of demands on such a path one is chosen, unless an {@code $elemMatch} says that they are about the same
 * element. The same goes for two paths that lead through the same array.
 *
 * @param columns what the keys consist of; of a wildcard index the path that it stands for is that of the query
 * @param covered the conditions that every document in this part meets
 * @param steps where the index had met arrays when the plan was made
 */
record IndexBounds(Index index, List<KeyColumn> columns, List<Intervals> fields, Set<Filter> covered, long[] steps) {

    /** The ways in which an index may be used; none if it has not all documents that are asked for. */
    static List<IndexBounds> all(Index index, Demand.Conjunction conjunction, Snapshot snapshot) {
        return switch (index.kind()) {
            case ORDERED, HASHED, SPHERE, PLANE -> List.of(of(index, conjunction));
            case WILDCARD -> new WildcardBounds(index, conjunction, snapshot).all();
            // It has neither all documents nor their values: only a search for words can use it.
            case TEXT -> List.of();
        };
    }

    static IndexBounds of(Index index, Demand.Conjunction conjunction) {
        return of(index, index.columns(), index.multikeySteps(), conjunction);
    }

    static IndexBounds of(Index index, List<KeyColumn> columns, long[] steps, Demand.Conjunction conjunction) {
        return new Builder(index, columns, steps).build(conjunction);
    }

    /** With other values in one column. */
    IndexBounds with(int column, Intervals intervals) {
        List<Intervals> others = new ArrayList<>(fields);
        others.set(column, intervals);
        return new IndexBounds(index, columns, List.copyOf(others), covered, steps);
    }

    private static final class Builder {
        private final Index index;
        private final List<KeyColumn> columns;
        private final long[] steps;
        private final List<Intervals> fields = new ArrayList<>();
        private final List<@Nullable Choice> choices = new ArrayList<>();
        private final Set<Filter> covered = new HashSet<>();

        private record Choice(Demand.@Nullable Element element) {}

        Builder(Index index, List<KeyColumn> columns, long[] steps) {
            this.index = index;
            this.columns = columns;
            this.steps = steps;
        }

        IndexBounds build(Demand.Conjunction conjunction) {
            for (int field = 0; field < columns.size(); field++) {
                KeyColumn column = columns.get(field);
                List<Demand> demands = new ArrayList<>();
                for (Demand each : conjunction.of(column.path())) {
                    Demand usable = ColumnBounds.of(each, index, column);
                    if (usable != null) {
                        demands.add(usable);
                    }
                }
                if (steps[field] == 0) {
                    all(demands);
                } else {
                    one(field, demands);
                }
            }
            return new IndexBounds(index, columns, List.copyOf(fields), covered, steps);
        }

        private void all(List<Demand> demands) {
            List<Intervals> common = new ArrayList<>(demands.size());
            for (Demand each : demands) {
                common.add(each.intervals());
                if (each.exact() != Exactness.NEVER) {
                    covered.add(each.conjunct());
                }
            }
            fields.add(Intervals.intersection(common));
            choices.add(null);
        }

        private void one(int field, List<Demand> demands) {
            List<Demand> usable = new ArrayList<>();
            for (Demand each : demands) {
                if (!each.needsNoArrays() && fitsEarlier(field, each)) {
                    usable.add(each);
                }
            }
            if (usable.isEmpty()) {
                fields.add(Intervals.ALL);
                choices.add(null);
                return;
            }
            Map<Demand.Element, List<Intervals>> ofElements = new HashMap<>();
            for (Demand each : usable) {
                Demand.Element element = each.element();
                if (element != null && isOnlyArray(field, element)) {
                    ofElements
                            .computeIfAbsent(element, any -> new ArrayList<>())
                            .add(each.intervals());
                }
            }
            Map<Demand.Element, Intervals> elements = new HashMap<>();
            ofElements.forEach((element, all) -> elements.put(element, Intervals.intersection(all)));
            Demand best = usable.getFirst();
            Intervals bestIntervals = together(best, elements);
            for (Demand each : usable) {
                Intervals intervals = together(each, elements);
                if (rank(intervals) > rank(bestIntervals)) {
                    best = each;
                    bestIntervals = intervals;
                }
            }
            if (best.exact() == Exactness.ALWAYS) {
                covered.add(best.conjunct());
            }
            fields.add(bestIntervals);
            choices.add(bestIntervals.isAll() ? null : new Choice(best.element()));
        }

        /** With the other demands on the same element, if elements of that array are what the entries are of. */
        private static Intervals together(Demand demand, Map<Demand.Element, Intervals> elements) {
            Demand.Element element = demand.element();
            Intervals common = element == null ? null : elements.get(element);
            return common == null ? demand.intervals() : common;
        }

        private boolean isOnlyArray(int field, Demand.Element element) {
            return steps[field] == 1L << element.step();
        }

        private boolean fitsEarlier(int field, Demand demand) {
            for (int earlier = 0; earlier < field; earlier++) {
                Choice choice = choices.get(earlier);
                if (choice == null || !shareArray(earlier, field)) {
                    continue;
                }
                Demand.Element element = demand.element();
                boolean sameElement = element != null
                        && element == choice.element
                        && isOnlyArray(earlier, element)
                        && isOnlyArray(field, element);
                if (!sameElement) {
                    return false;
                }
            }
            return true;
        }

        private boolean shareArray(int a, int b) {
            DottedPath pathA = columns.get(a).path();
            DottedPath pathB = columns.get(b).path();
            int common = 0;
            while (common < Math.min(pathA.size(), pathB.size())
                    && pathA.part(common).equals(pathB.part(common))) {
                common++;
            }
            long within = (1L << common) - 1;
            return (steps[a] & steps[b] & within) != 0;
        }

        private static int rank(Intervals intervals) {
            if (intervals.isEmpty()) {
                return 5;
            }
            if (intervals.isPoint()) {
                return 4;
            }
            if (intervals.arePoints()) {
                return 3;
            }
            return intervals.isAll() ? 0 : 2;
        }
    }

    boolean isEmpty() {
        for (Intervals each : fields) {
            if (each.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** How many fields from the first on are bounded. */
    int boundedPrefix() {
        int bounded = 0;
        while (bounded < fields.size() && !fields.get(bounded).isAll()) {
            bounded++;
        }
        return bounded;
    }

    /** Whether a document may have several keys in this part. */
    boolean isMultikey() {
        for (int i = 0; i < steps.length; i++) {
            boolean paths = columns.get(i).kind() == IndexKind.WILDCARD
                    && i + 1 < steps.length
                    && columns.get(i + 1).kind() == IndexKind.WILDCARD;
            if (steps[i] != 0 || (paths && !fields.get(i).isPoint())) {
                return true;
            }
        }
        return false;
    }

    /** What still has to be asked of the documents. */
    Filter residual(Demand.Conjunction conjunction) {
        List<Filter> rest = new ArrayList<>();
        for (Filter each : conjunction.conjuncts()) {
            if (!covered.contains(each)) {
                rest.add(each);
            }
        }
        return switch (rest.size()) {
            case 0 -> Filters.ALL;
            case 1 -> rest.getFirst();
            default -> new Filter.And(rest);
        };
    }

    /**
     * Whether a scan yields the documents in this order: forwards (1), backwards (-1), or not (0). A field with but one
     * value may be passed over on either side.
     */
    int direction(SortPattern sort) {
        if (!sort.collation().equals(index.collation())) {
            return 0;
        }
        int direction = 0;
        int field = 0;
        for (SortPattern.Part wanted : sort.parts()) {
            while (field < fields.size()
                    && fields.get(field).isPoint()
                    && !columns.get(field).path().equals(wanted.path())) {
                field++;
            }
            if (field == fields.size() || !columns.get(field).path().equals(wanted.path())) {
                if (isSingleValued(wanted.path())) {
                    continue;
                }
                return 0;
            }
            if (!isSingleValue(field)) {
                KeyColumn column = columns.get(field);
                if (!ColumnBounds.isInOrder(column.kind()) || !sortsArrays(field, sort)) {
                    return 0;
                }
                int here = wanted.ascending() == column.ascending() ? 1 : -1;
                if (direction != 0 && direction != here) {
                    return 0;
                }
                direction = here;
            }
            field++;
        }
        return direction(direction);
    }

    private static int direction(int found) {
        return found == 0 ? 1 : found;
    }

    /** Whether all documents found have one value there: equal hashes or cells may be of different ones. */
    private boolean isSingleValue(int field) {
        return steps[field] == 0
                && fields.get(field).isPoint()
                && ColumnBounds.isInOrder(columns.get(field).kind());
    }

    private boolean isSingleValued(DottedPath path) {
        for (int field = 0; field < columns.size(); field++) {
            if (columns.get(field).path().equals(path)) {
                return isSingleValue(field);
            }
        }
        return false;
    }

    /** With arrays, the first entry met is the one to sort by only if none is left out and nothing else is multikey. */
    private boolean sortsArrays(int field, SortPattern sort) {
        if (steps[field] == 0) {
            return true;
        }
        if (sort.parts().size() > 1) {
            return false;
        }
        for (int i = 0; i < fields.size(); i++) {
            if (steps[i] != 0 && !fields.get(i).isAll()) {
                return false;
            }
        }
        return true;
    }
}

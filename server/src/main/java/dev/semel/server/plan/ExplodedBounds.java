package dev.semel.server.plan;

import dev.semel.query.value.SortPattern;
import java.util.ArrayList;
import java.util.List;

/**
 * Bounds that name single values in the first fields of an index, divided into scans of one value each: with {@code a} equal
 * to 1, or to 2, an index on {@code {a: 1, b: 1}} has the order of {@code b}. MongoDB calls it to explode an index scan for
 * a sort.
 */
final class ExplodedBounds {
    /** As in MongoDB: each scan holds a position in the index. */
    static final int SCANS_MAX = 200;

    private ExplodedBounds() {}

    /** One scan for each combination of values, all in the order wanted; none if that order cannot be had this way. */
    static List<IndexBounds> of(IndexBounds bounds, SortPattern sort) {
        List<IndexBounds> scans = List.of(bounds);
        for (int field = 0; field < bounds.fields().size(); field++) {
            Intervals values = bounds.fields().get(field);
            if (!values.arePoints() || (long) scans.size() * values.list().size() > SCANS_MAX) {
                return List.of();
            }
            scans = split(scans, field, values);
            if (scans.getFirst().direction(sort) != 0) {
                return scans;
            }
        }
        return List.of();
    }

    private static List<IndexBounds> split(List<IndexBounds> scans, int field, Intervals values) {
        List<IndexBounds> split = new ArrayList<>();
        for (IndexBounds scan : scans) {
            for (Interval value : values.list()) {
                split.add(scan.with(field, Intervals.of(value)));
            }
        }
        return List.copyOf(split);
    }
}

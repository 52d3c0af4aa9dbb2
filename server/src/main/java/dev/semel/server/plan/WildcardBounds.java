package dev.semel.server.plan;

import dev.semel.query.value.DottedPath;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.server.catalog.KeyColumn;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The parts of a wildcard index that a query may use: one for each path of which it demands that there is something. If
 * that is a value that stands in the keys as it is, these are the keys of the path; otherwise those of everything at
 * and below it.
 */
final class WildcardBounds {
    /** Of those that are tried: as many as there may be contenders. */
    private static final int PATHS_MAX = Choice.CONTENDERS_MAX;

    private final Index index;
    private final Demand.Conjunction conjunction;
    private final Snapshot snapshot;
    private final int column;

    WildcardBounds(Index index, Demand.Conjunction conjunction, Snapshot snapshot) {
        this.index = index;
        this.conjunction = conjunction;
        this.snapshot = snapshot;
        int first = 0;
        while (index.columns().get(first).kind() != IndexKind.WILDCARD) {
            first++;
        }
        this.column = first;
    }

    List<IndexBounds> all() {
        List<IndexBounds> all = new ArrayList<>();
        for (DottedPath path : paths()) {
            if (all.size() == PATHS_MAX) {
                break;
            }
            if (conjunction.of(path).stream().anyMatch(each -> isUsable(each) && hasScalars(each))) {
                all.add(bounds(path).with(column, Intervals.point(text(path, ""))));
            } else if (index.wildcardPaths().coversBelow(path)) {
                all.add(bounds(path).with(column, atAndBelow(path)).with(column + 1, Intervals.ALL));
            }
        }
        if (all.isEmpty() && column > 0) {
            // Every document has a key, although some may have only the one without a path.
            Intervals anyPath = Intervals.ofKind(BsonType.STRING).union(Intervals.point(Value.MIN_KEY));
            all.add(bounds(index.columns().get(column + 1).path()).with(column, anyPath));
        }
        return all;
    }

    private Set<DottedPath> paths() {
        Set<DottedPath> paths = new LinkedHashSet<>();
        for (Demand each : conjunction.demands()) {
            if (isUsable(each) && index.wildcardPaths().covers(each.path())) {
                paths.add(each.path());
            }
        }
        return paths;
    }

    /** A number may be a position in an array, which is no part of the paths in the keys. */
    private boolean isUsable(Demand demand) {
        return demand.excludesMissing() && !Demand.hasPosition(demand.path()) && demand.fits(index);
    }

    /** Objects and arrays are not in the keys, but what is in them. */
    static boolean hasScalars(Demand demand) {
        Intervals inside = demand.intervals().intersect(CONTAINERS);
        return inside.isEmpty()
                || (inside.isPoint() && inside.list().getFirst().low().equals(NO_FIELDS));
    }

    private static final Value NO_FIELDS = Value.of(RawDocument.EMPTY);
    private static final Intervals CONTAINERS = Intervals.ofKind(BsonType.DOCUMENT)
            .union(Intervals.ofKind(BsonType.ARRAY))
            .union(Intervals.ofKind(BsonType.UNDEFINED));

    private IndexBounds bounds(DottedPath path) {
        List<KeyColumn> columns = new ArrayList<>(index.columns());
        KeyColumn any = columns.get(column + 1);
        columns.set(column + 1, new KeyColumn(path, any.kind(), any.ascending(), any.collated()));
        long[] steps = index.multikeySteps().clone();
        for (int step = 0; step < path.size(); step++) {
            if (hasArray(path.prefix(step + 1))) {
                steps[column + 1] |= 1L << step;
            }
        }
        return IndexBounds.of(index, columns, steps, conjunction);
    }

    private boolean hasArray(DottedPath path) {
        try (Scan scan = snapshot.scan(Table.INDEXES, index.arraysAt(path), false)) {
            return scan.next();
        }
    }

    private static Intervals atAndBelow(DottedPath path) {
        return Intervals.point(text(path, ""))
                .union(Intervals.of(new Interval(text(path, "."), true, text(path, "/"), false)));
    }

    private static Value text(DottedPath path, String end) {
        return Value.of(path + end);
    }
}

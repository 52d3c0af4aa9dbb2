package dev.semel.server.plan;

import dev.semel.query.filter.Condition;
import dev.semel.query.filter.Filter;
import dev.semel.query.geo.CellSpace;
import dev.semel.query.geo.GeoPredicate;
import dev.semel.query.value.ValueHash;
import dev.semel.server.catalog.Index;
import dev.semel.server.catalog.IndexKind;
import dev.semel.server.catalog.KeyColumn;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where in a column of an index the values are that a demand asks for: one place for each kind of index. */
final class ColumnBounds {
    private ColumnBounds() {}

    /** The demand as one on the column's values; null if the column is of no use for it. */
    static @Nullable Demand of(Demand demand, Index index, KeyColumn column) {
        return switch (column.kind()) {
            case ORDERED -> demand.fits(index) ? demand : null;
            case SPHERE, PLANE -> ofShapes(demand, index, column);
            case HASHED -> demand.fits(index) ? hashed(demand, index) : null;
            case WILDCARD -> wildcard(demand, index);
            case TEXT -> null;
        };
    }

    /** Whether an index scan in its order yields the order of the values at the column's path. */
    static boolean isInOrder(IndexKind kind) {
        return switch (kind) {
            case ORDERED, WILDCARD -> true;
            case HASHED, SPHERE, PLANE, TEXT -> false;
        };
    }

    /** A field name may have dots, so that a key of the path need not be one of the value that is meant. */
    private static @Nullable Demand wildcard(Demand demand, Index index) {
        boolean usable = demand.fits(index) && demand.excludesMissing() && WildcardBounds.hasScalars(demand);
        return usable ? demand.within(demand.intervals(), demand.collation()) : null;
    }

    private static @Nullable Demand hashed(Demand demand, Index index) {
        if (!demand.intervals().arePoints()) {
            return null;
        }
        List<Interval> hashes = new ArrayList<>();
        for (Interval point : demand.intervals().list()) {
            hashes.add(Interval.point(Value.of(ValueHash.of(point.low()))));
        }
        return demand.within(Intervals.union(hashes), index.collation());
    }

    /** The predicate of a demand, if this kind of index can answer it. */
    static @Nullable GeoPredicate predicate(Demand demand, Index index, KeyColumn column) {
        return demand.conjunct() instanceof Filter.Field(var path, Condition.Geo(GeoPredicate predicate))
                        && path.equals(column.path())
                        && index.cells().fits(predicate)
                ? predicate
                : null;
    }

    private static @Nullable Demand ofShapes(Demand demand, Index index, KeyColumn column) {
        GeoPredicate predicate = predicate(demand, index, column);
        if (predicate == null) {
            return null;
        }
        List<Interval> cells = new ArrayList<>();
        for (CellSpace.Range range : index.cells().ranges(predicate)) {
            cells.add(Interval.closed(Value.of(range.low()), Value.of(range.high())));
        }
        return demand.within(Intervals.union(cells), index.collation());
    }
}

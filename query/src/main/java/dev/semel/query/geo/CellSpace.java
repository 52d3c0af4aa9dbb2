package dev.semel.query.geo;

import java.util.List;

/**
 * How an index divides the sphere or the plane into cells: each has a range of keys, and so do the cells within it. A
 * point has the key of the smallest cell around it; a larger shape has the keys of several cells that cover it.
 */
public sealed interface CellSpace permits SphereCells, PlaneCells {

    /** Keys from the first to the last. */
    record Range(long low, long high) {}

    /** Whether what is asked for can be found by the keys. */
    boolean fits(GeoPredicate predicate);

    boolean fits(NearQuery near);

    /** Everything that meets the predicate has at least one key in one of these ranges. */
    List<Range> ranges(GeoPredicate predicate);

    /** The cell with a key. */
    Cell of(long key);

    /** Refuses a search that does not begin here. */
    void check(NearQuery near);

    /** The largest cells. */
    List<Cell> all();

    /** The cells around a point, from one of the smallest to one of the largest. */
    List<Cell> around(Position centre);
}

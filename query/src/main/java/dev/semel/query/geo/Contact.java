package dev.semel.query.geo;

import com.google.common.geometry.S2EdgeQuery;
import com.google.common.geometry.S2EdgeUtil;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import com.google.common.geometry.S2Shape;
import com.google.common.geometry.S2ShapeIndex;

/**
 * How the edges of a line lie to those of another shape, by an index of these: to cut a line of 100,000 vertices where a large
 * polygon begins and ends takes seconds, and to compare two such lines edge by edge minutes.
 */
enum Contact {
    APART,
    /** They have vertices in common, and cross nowhere else. */
    TOUCHING,
    CROSSING;

    /** Up to so many pairs of edges, it takes longer to make an index. */
    private static final long PAIRS_MIN = 10_000;

    static boolean isWorthIt(int edges, int others) {
        return (long) edges * others > PAIRS_MIN;
    }

    static Contact of(S2Polyline line, S2Polygon polygon) {
        return of(line, polygon.index());
    }

    static Contact of(S2Polyline line, S2Polyline other) {
        S2ShapeIndex index = new S2ShapeIndex();
        index.add(other);
        return of(line, index);
    }

    private static Contact of(S2Polyline line, S2ShapeIndex index) {
        S2Shape shape = index.getShapes().getFirst();
        S2EdgeQuery query = new S2EdgeQuery(index);
        S2Shape.MutableEdge edge = new S2Shape.MutableEdge();
        Contact contact = APART;
        for (int i = 1; i < line.numVertices(); i++) {
            S2Point from = line.vertex(i - 1);
            S2Point to = line.vertex(i);
            S2EdgeQuery.Edges met = query.getCrossings(from, to, shape);
            while (!met.isEmpty()) {
                shape.getEdge(met.nextEdge(), edge);
                if (S2EdgeUtil.robustCrossing(from, to, edge.getStart(), edge.getEnd()) > 0) {
                    return CROSSING;
                }
                contact = TOUCHING;
            }
        }
        return contact;
    }
}

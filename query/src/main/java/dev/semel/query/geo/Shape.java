package dev.semel.query.geo;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S1ChordAngle;
import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2EdgeUtil;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import com.google.common.geometry.S2Region;
import java.util.List;

/**
 * A part of the sphere. Borders belong to a shape: a point on the border of a polygon, to within the smallest cell (less
 * than a centimetre), is in the polygon.
 */
public sealed interface Shape {
    double EARTH_RADIUS_METRES = 6_378_100;

    S2Region region();

    /** In radians; 0 if the point is inside. */
    double distance(S2Point point);

    boolean intersects(Shape other);

    /** Whether the other is wholly within this one; points and lines contain nothing. */
    default boolean contains(Shape other) {
        return false;
    }

    /** Whether it has an inside, so that something may be within it. */
    default boolean hasInside() {
        return false;
    }

    /** In radians: what cutting may take away of a line. */
    private static double tolerance(S2Polyline line) {
        return S1Angle.degrees(1e-10).radians() * line.numVertices();
    }

    record Point(S2Point at, S2Cell cell) implements Shape {
        Point(S2Point at) {
            this(at, new S2Cell(at));
        }

        @Override
        public S2Region region() {
            return cell;
        }

        @Override
        public double distance(S2Point point) {
            return new S1Angle(at, point).radians();
        }

        @Override
        public boolean intersects(Shape other) {
            return other.region().mayIntersect(cell);
        }
    }

    record Line(S2Polyline line) implements Shape {
        @Override
        public S2Region region() {
            return line;
        }

        @Override
        public double distance(S2Point point) {
            double least = Math.PI;
            for (int i = 1; i < line.numVertices(); i++) {
                least = Math.min(
                        least,
                        S2EdgeUtil.getDistance(point, line.vertex(i - 1), line.vertex(i))
                                .radians());
            }
            return least;
        }

        @Override
        public boolean intersects(Shape other) {
            return switch (other) {
                case Point point -> line.mayIntersect(point.cell);
                case Line(S2Polyline that) ->
                    Contact.isWorthIt(line.numEdges(), that.numEdges())
                            ? Contact.of(line, that) != Contact.APART
                            : line.intersects(that);
                case Polygon polygon -> polygon.intersects(this);
                case Beyond beyond -> beyond.intersects(this);
                case Cap cap -> cap.intersects(this);
            };
        }
    }

    /** At most half of the sphere, with holes. */
    record Polygon(S2Polygon polygon) implements Shape {
        @Override
        public S2Region region() {
            return polygon;
        }

        @Override
        public boolean hasInside() {
            return true;
        }

        @Override
        public double distance(S2Point point) {
            return polygon.getDistance(point).radians();
        }

        @Override
        public boolean intersects(Shape other) {
            return switch (other) {
                case Point(S2Point at, S2Cell cell) -> polygon.contains(at) || polygon.mayIntersect(cell);
                case Line(S2Polyline line) -> intersectsLine(line);
                case Polygon(S2Polygon that) -> polygon.intersects(that);
                case Beyond beyond -> beyond.intersects(this);
                case Cap cap -> cap.intersects(this);
            };
        }

        @Override
        public boolean contains(Shape other) {
            return switch (other) {
                case Point point -> intersects(point);
                case Line(S2Polyline line) -> containsLine(line);
                case Polygon(S2Polygon that) -> polygon.contains(that);
                case Beyond ignored -> false;
                case Cap ignored -> false;
            };
        }

        private boolean intersectsLine(S2Polyline line) {
            return switch (contact(line)) {
                case APART -> polygon.contains(line.vertex(0));
                case CROSSING -> true;
                case TOUCHING -> !polygon.intersectWithPolyline(line).isEmpty();
            };
        }

        /** Touching if only a cut can tell, or does so sooner. */
        private Contact contact(S2Polyline line) {
            return Contact.isWorthIt(line.numEdges(), polygon.getNumVertices())
                    ? Contact.of(line, polygon)
                    : Contact.TOUCHING;
        }

        private boolean containsLine(S2Polyline line) {
            return switch (contact(line)) {
                case APART -> polygon.contains(line.vertex(0));
                case CROSSING -> !leaves(line) && isKeptWhole(line);
                case TOUCHING -> isKeptWhole(line);
            };
        }

        /** Whether its first vertex outside is so far away that no cut need tell; a line along the border crosses it by rounding. */
        private boolean leaves(S2Polyline line) {
            for (S2Point each : line.vertices()) {
                if (!polygon.contains(each)) {
                    return distance(each) > tolerance(line);
                }
            }
            return false;
        }

        private boolean isKeptWhole(S2Polyline line) {
            List<S2Polyline> inside = polygon.intersectWithPolyline(line);
            if (inside.size() != 1) {
                return false;
            }
            // Cutting moves the vertices a little: what is left must still begin and end where the line does.
            S2Polyline kept = inside.getFirst();
            double missing = line.getArclengthAngle().radians()
                    - kept.getArclengthAngle().radians();
            return missing <= tolerance(line);
        }
    }

    /** All that is not inside of a polygon; more than half of the sphere. */
    record Beyond(S2Loop loop, S2Polygon hole) implements Shape {
        @Override
        public S2Region region() {
            return loop;
        }

        @Override
        public boolean hasInside() {
            return true;
        }

        @Override
        public double distance(S2Point point) {
            return loop.getDistance(point).radians();
        }

        @Override
        public boolean intersects(Shape other) {
            return switch (other) {
                case Point(S2Point at, S2Cell cell) -> loop.contains(at) || loop.mayIntersect(cell);
                case Line line -> !new Polygon(hole).contains(line);
                case Polygon(S2Polygon that) -> !hole.contains(that);
                case Beyond ignored -> true;
                case Cap cap -> cap.intersects(this);
            };
        }

        @Override
        public boolean contains(Shape other) {
            return switch (other) {
                case Point point -> intersects(point);
                case Line line -> !new Polygon(hole).intersects(line);
                case Polygon(S2Polygon that) -> !hole.intersects(that);
                case Beyond ignored -> false;
                case Cap ignored -> false;
            };
        }
    }

    /** All that is no further from a point than a radius. */
    record Cap(S2Point centre, double radius, S2Cap cap) implements Shape {
        Cap(S2Point centre, double radius) {
            this(centre, radius, S2Cap.fromAxisAngle(centre, S1Angle.radians(radius)));
        }

        @Override
        public S2Region region() {
            return cap;
        }

        @Override
        public boolean hasInside() {
            return true;
        }

        @Override
        public double distance(S2Point point) {
            return Math.max(0, new S1Angle(centre, point).radians() - radius);
        }

        @Override
        public boolean intersects(Shape other) {
            return other instanceof Point(S2Point at, S2Cell cell)
                    ? cap.mayIntersect(cell)
                    : other.distance(centre) <= radius;
        }

        /** No part of the other may be nearer to the opposite point than the complement is wide. */
        @Override
        public boolean contains(Shape other) {
            if (radius >= Math.PI || other instanceof Point) {
                return intersects(other);
            }
            return other.distance(centre.neg()) >= Math.PI - radius;
        }
    }

    /** What is on the left of a ring. */
    static Shape enclosed(S2Loop loop) {
        if (loop.isNormalized()) {
            return new Polygon(new S2Polygon(loop));
        }
        S2Loop hole = new S2Loop(loop);
        hole.invert();
        return new Beyond(loop, new S2Polygon(hole));
    }

    /** From the chord between two points of a sphere of radius 1. */
    static double radians(S1ChordAngle chord) {
        return chord.toAngle().radians();
    }
}

package dev.semel.query.geo;

import java.util.List;

/** Where a filter looks for documents. */
public sealed interface Region {

    /** The parts of the sphere. */
    record Sphere(List<Shape> shapes) implements Region {}

    /** A part of the plane, which contains points only. */
    sealed interface Plane extends Region {
        boolean contains(Position point);

        /** What lies around it. */
        Bounds bounds();

        /** Whether all of a rectangle is outside, as far as that can be told quickly. */
        default boolean excludes(Bounds other) {
            return !bounds().intersects(other);
        }
    }

    /** A rectangle along the axes. */
    record Bounds(double minX, double minY, double maxX, double maxY) {
        boolean intersects(Bounds other) {
            return minX <= other.maxX && maxX >= other.minX && minY <= other.maxY && maxY >= other.minY;
        }

        /** From a point to the nearest point of the rectangle. */
        double distance(Position from) {
            double dx = Math.max(0, Math.max(minX - from.x(), from.x() - maxX));
            double dy = Math.max(0, Math.max(minY - from.y(), from.y() - maxY));
            return Math.sqrt(dx * dx + dy * dy);
        }

        double farthest(Position from) {
            double dx = Math.max(from.x() - minX, maxX - from.x());
            double dy = Math.max(from.y() - minY, maxY - from.y());
            return Math.sqrt(dx * dx + dy * dy);
        }
    }

    /** {@code $box}. */
    record Box(Bounds bounds) implements Plane {
        static Box of(Position a, Position b) {
            return new Box(new Bounds(
                    Math.min(a.x(), b.x()), Math.min(a.y(), b.y()), Math.max(a.x(), b.x()), Math.max(a.y(), b.y())));
        }

        @Override
        public boolean contains(Position point) {
            return bounds.minX <= point.x()
                    && point.x() <= bounds.maxX
                    && bounds.minY <= point.y()
                    && point.y() <= bounds.maxY;
        }
    }

    /** {@code $center}. */
    record Circle(Position centre, double radius) implements Plane {
        @Override
        public boolean contains(Position point) {
            return centre.distance(point) <= radius;
        }

        @Override
        public Bounds bounds() {
            return new Bounds(centre.x() - radius, centre.y() - radius, centre.x() + radius, centre.y() + radius);
        }

        @Override
        public boolean excludes(Bounds other) {
            return other.distance(centre) > radius;
        }
    }

    /** {@code $polygon}: the last corner is joined with the first; a point on the border is inside. */
    record Corners(List<Position> corners, Bounds bounds) implements Plane {
        static Corners of(List<Position> corners) {
            double minX = Double.POSITIVE_INFINITY;
            double minY = Double.POSITIVE_INFINITY;
            double maxX = Double.NEGATIVE_INFINITY;
            double maxY = Double.NEGATIVE_INFINITY;
            for (Position each : corners) {
                minX = Math.min(minX, each.x());
                minY = Math.min(minY, each.y());
                maxX = Math.max(maxX, each.x());
                maxY = Math.max(maxY, each.y());
            }
            return new Corners(List.copyOf(corners), new Bounds(minX, minY, maxX, maxY));
        }

        /** By how often a ray to the right crosses the border. */
        @Override
        public boolean contains(Position point) {
            boolean inside = false;
            Position a = corners.getLast();
            for (Position b : corners) {
                if (isOn(point, a, b)) {
                    return true;
                }
                boolean crosses = a.y() > point.y() != b.y() > point.y();
                if (crosses && point.x() < (b.x() - a.x()) * (point.y() - a.y()) / (b.y() - a.y()) + a.x()) {
                    inside = !inside;
                }
                a = b;
            }
            return inside;
        }

        private static boolean isOn(Position point, Position a, Position b) {
            double cross = (b.x() - a.x()) * (point.y() - a.y()) - (b.y() - a.y()) * (point.x() - a.x());
            return cross == 0
                    && Math.min(a.x(), b.x()) <= point.x()
                    && point.x() <= Math.max(a.x(), b.x())
                    && Math.min(a.y(), b.y()) <= point.y()
                    && point.y() <= Math.max(a.y(), b.y());
        }
    }
}

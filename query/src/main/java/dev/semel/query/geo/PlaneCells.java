package dev.semel.query.geo;

import com.google.common.geometry.R1Interval;
import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S1Interval;
import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2LatLngRect;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;

/**
 * The cells of a {@code 2d} index: a square, divided into four again and again. A key has the bits of both coordinates by
 * turns, the first of them from the left, so that each cell is a range of keys.
 *
 * @param bits how often the square is divided
 * @param min the lowest value of either coordinate
 * @param max the highest
 */
public record PlaneCells(int bits, double min, double max) implements CellSpace {
    public static final int BITS_DEFAULT = 26;
    public static final int BITS_MAX = 32;
    public static final double LIMIT_DEFAULT = 180;

    private static final int CELLS_MAX = 24;

    /** Rounding must not put a point beside the cell whose key it has. */
    private static final double SLACK = 1e-12;

    /** The key of a pair of coordinates, or the error for the document that has it. */
    public long key(RawDocument pair, RawDocument document) {
        Iterator<Element> each = pair.iterator();
        if (!each.hasNext()) {
            throw refused(13067, "geo field is empty", document);
        }
        Value x = each.next().value();
        if (!each.hasNext()) {
            throw refused(13068, "geo field only has 1 element", document);
        }
        Value y = each.next().value();
        if (!Numbers.isNumber(x) || !Numbers.isNumber(y)) {
            throw refused(13026, "geo values must be 'legacy coordinate pairs' for 2d indexes", document);
        }
        Position at = new Position(Numbers.doubleOf(x), Numbers.doubleOf(y));
        if (!holds(at)) {
            throw refused(13027, outside(), document);
        }
        return key(at);
    }

    private static CommandException refused(int code, String reason, RawDocument document) {
        return new CommandException(ErrorCode.location(code), "%s :: caused by :: %s", reason, Shell.text(document));
    }

    private String outside() {
        return "point not in interval of [ %s, %s ]".formatted(Coordinates.number(min), Coordinates.number(max));
    }

    private boolean holds(Position at) {
        return at.x() >= min && at.x() <= max && at.y() >= min && at.y() <= max;
    }

    private long key(Position at) {
        return ordered(interleave(step(at.x()), step(at.y())) << (2 * (BITS_MAX - bits)));
    }

    private long step(double coordinate) {
        long steps = 1L << bits;
        return Math.clamp((long) ((coordinate - min) / (max - min) * steps), 0, steps - 1);
    }

    /** Keys compare as signed numbers. */
    private static long ordered(long unsigned) {
        return unsigned ^ Long.MIN_VALUE;
    }

    private static long interleave(long x, long y) {
        return spread(x) << 1 | spread(y);
    }

    private static long spread(long value) {
        long bits = value & 0xFFFFFFFFL;
        bits = (bits | bits << 16) & 0x0000FFFF0000FFFFL;
        bits = (bits | bits << 8) & 0x00FF00FF00FF00FFL;
        bits = (bits | bits << 4) & 0x0F0F0F0F0F0F0F0FL;
        bits = (bits | bits << 2) & 0x3333333333333333L;
        return (bits | bits << 1) & 0x5555555555555555L;
    }

    private static long gather(long turns) {
        long bits = turns & 0x5555555555555555L;
        bits = (bits | bits >>> 1) & 0x3333333333333333L;
        bits = (bits | bits >>> 2) & 0x0F0F0F0F0F0F0F0FL;
        bits = (bits | bits >>> 4) & 0x00FF00FF00FF00FFL;
        bits = (bits | bits >>> 8) & 0x0000FFFF0000FFFFL;
        return (bits | bits >>> 16) & 0xFFFFFFFFL;
    }

    @Override
    public boolean fits(GeoPredicate predicate) {
        return predicate.within()
                && (predicate.region() instanceof Region.Plane
                        || (predicate.region() instanceof Region.Sphere(List<Shape> shapes)
                                && shapes.getFirst() instanceof Shape.Cap));
    }

    @Override
    public boolean fits(NearQuery near) {
        return near.fitsPlane();
    }

    /** A search must begin in the square. */
    @Override
    public void check(NearQuery near) {
        if (!holds(near.centre())) {
            throw new CommandException(
                    ErrorCode.location(16433),
                    "%s :: caused by :: %s",
                    outside(),
                    "[ %s, %s ]"
                            .formatted(
                                    Shell.text(Value.of(near.centre().x())),
                                    Shell.text(Value.of(near.centre().y()))));
        }
    }

    /** Divides the largest cells first, until there are many, and leaves out those without a part of the region. */
    @Override
    public List<Range> ranges(GeoPredicate predicate) {
        Deque<PlaneCell> open = new ArrayDeque<>(List.of(root()));
        List<PlaneCell> done = new ArrayList<>();
        while (!open.isEmpty() && open.size() + done.size() < CELLS_MAX) {
            PlaneCell cell = open.removeFirst();
            if (cell.level == bits) {
                done.add(cell);
                continue;
            }
            for (PlaneCell part : cell.divided()) {
                if (mayMeet(predicate.region(), part)) {
                    open.addLast(part);
                }
            }
        }
        done.addAll(open);
        return done.stream().map(each -> new Range(each.low(), each.high())).toList();
    }

    private static boolean mayMeet(Region region, PlaneCell cell) {
        return switch (region) {
            case Region.Plane plane -> !plane.excludes(cell.bounds());
            case Region.Sphere(List<Shape> shapes) -> {
                S2LatLngRect part = cell.onGlobe();
                yield !part.isEmpty()
                        && shapes.stream()
                                .anyMatch(each -> each.region().getRectBound().intersects(part));
            }
        };
    }

    private PlaneCell root() {
        return new PlaneCell(this, 0, 0, 0);
    }

    @Override
    public Cell of(long key) {
        long turns = ordered(key) >>> (2 * (BITS_MAX - bits));
        return new PlaneCell(this, bits, gather(turns >>> 1), gather(turns));
    }

    @Override
    public List<Cell> all() {
        return List.of(root());
    }

    @Override
    public List<Cell> around(Position centre) {
        List<Cell> cells = new ArrayList<>();
        long x = step(centre.x());
        long y = step(centre.y());
        for (int level = bits; level >= 0; level--) {
            cells.add(new PlaneCell(this, level, x >> (bits - level), y >> (bits - level)));
        }
        return cells;
    }

    private record PlaneCell(PlaneCells grid, int level, long x, long y) implements Cell {
        private int shift() {
            return 2 * (BITS_MAX - level);
        }

        @Override
        public long low() {
            return ordered(level == 0 ? 0 : interleave(x, y) << shift());
        }

        @Override
        public long high() {
            return ordered(level == 0 ? -1 : interleave(x, y) << shift() | (1L << shift()) - 1);
        }

        @Override
        public OptionalLong own() {
            return OptionalLong.empty();
        }

        @Override
        public List<Cell> parts() {
            return level == grid.bits ? List.of() : List.copyOf(divided());
        }

        List<PlaneCell> divided() {
            List<PlaneCell> parts = new ArrayList<>(4);
            for (int i = 0; i < 4; i++) {
                parts.add(new PlaneCell(grid, level + 1, 2 * x + i / 2, 2 * y + i % 2));
            }
            return parts;
        }

        Region.Bounds bounds() {
            double width = (grid.max - grid.min) / (1L << level);
            double slack = (grid.max - grid.min) * SLACK;
            return new Region.Bounds(
                    grid.min + x * width - slack,
                    grid.min + y * width - slack,
                    grid.min + (x + 1) * width + slack,
                    grid.min + (y + 1) * width + slack);
        }

        /** The part of the cell where coordinates are longitudes and latitudes. */
        S2LatLngRect onGlobe() {
            Region.Bounds bounds = bounds();
            double west = Math.max(-180, bounds.minX());
            double east = Math.min(180, bounds.maxX());
            double south = Math.max(-90, bounds.minY());
            double north = Math.min(90, bounds.maxY());
            if (west > east || south > north) {
                return S2LatLngRect.empty();
            }
            return new S2LatLngRect(
                    new R1Interval(Math.toRadians(south), Math.toRadians(north)),
                    new S1Interval(Math.toRadians(west), Math.toRadians(east)));
        }

        @Override
        public double least(NearQuery near) {
            if (!near.onSphere()) {
                return bounds().distance(near.centre());
            }
            S2LatLngRect part = onGlobe();
            return part.isEmpty()
                    ? Double.POSITIVE_INFINITY
                    : part.getDistance(new S2LatLng(near.point())).radians();
        }

        @Override
        public double most(NearQuery near) {
            if (!near.onSphere()) {
                return bounds().farthest(near.centre());
            }
            S2LatLngRect part = onGlobe();
            if (part.isEmpty()) {
                return Double.POSITIVE_INFINITY;
            }
            S2Cap cap = part.getCapBound();
            return Math.min(
                    Math.PI,
                    new S1Angle(cap.axis(), near.point()).radians()
                            + cap.angle().radians());
        }
    }
}

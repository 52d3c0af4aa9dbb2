package dev.semel.query.geo;

import com.google.common.geometry.S2Error;
import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the {@code coordinates} of GeoJSON: points, lines, and rings that must not cross themselves or each other. */
final class Coordinates {
    private static final Pattern TWO_NUMBERS = Pattern.compile("\\D*(\\d+)\\D+(\\d+).*", Pattern.DOTALL);
    private static final int SHOWN_DIGITS = 6;

    private Coordinates() {}

    /** As C++ streams show a double by default. */
    static String number(double value) {
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
        }
        BigDecimal rounded = new BigDecimal(value)
                .round(new MathContext(SHOWN_DIGITS, RoundingMode.HALF_EVEN))
                .stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (rounded.signum() == 0) {
            return "0";
        }
        if (exponent >= -4 && exponent < SHOWN_DIGITS) {
            return rounded.toPlainString();
        }
        String digits = rounded.movePointLeft(exponent).toPlainString();
        return "%se%s%02d".formatted(digits, exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    static List<S2Point> points(@Nullable Value value) throws InvalidGeometry {
        RawDocument array = array(value, "GeoJSON coordinates must be an array of coordinates");
        List<S2Point> points = new ArrayList<>();
        for (Element each : array) {
            array(each.value(), "GeoJSON coordinates must be an array");
            points.add(Position.parse(each.value(), true).requireOnGlobe().toSphere());
        }
        return points;
    }

    static S2Polyline line(@Nullable Value value) throws InvalidGeometry {
        List<S2Point> points = withoutRepeats(points(value));
        if (points.size() < 2) {
            throw new InvalidGeometry(
                    "GeoJSON LineString must have at least 2 vertices, instead got %d vertices: %s",
                    points.size(), text(value));
        }
        for (int i = 1; i < points.size(); i++) {
            if (points.get(i - 1).equals(points.get(i).neg())) {
                throw new InvalidGeometry(
                        "GeoJSON LineString is not valid: Vertices %d and %d are antipodal %s", i - 1, i, text(value));
            }
        }
        return new S2Polyline(points);
    }

    /** The first ring is the border, the others are holes in it. */
    static S2Polygon polygon(@Nullable Value value) throws InvalidGeometry {
        RawDocument rings = array(value, "Polygon coordinates must be an array");
        List<S2Loop> loops = new ArrayList<>();
        for (Element each : rings) {
            S2Loop loop = loop(each.value(), each.value());
            // A ring is taken for the border of the smaller of the two parts into which it divides the sphere.
            loop.normalize();
            if (!loops.isEmpty() && !loops.getFirst().contains(loop)) {
                throw new InvalidGeometry(
                        "Secondary loops not contained by first exterior loop - secondary loops must be holes: %s"
                                + " first loop: %s",
                        text(each.value()), text(firstOf(rings)));
            }
            loops.add(loop);
        }
        if (loops.isEmpty()) {
            throw new InvalidGeometry("Polygon has no loops.");
        }
        S2Polygon polygon = new S2Polygon(loops);
        if (polygon.numLoops() > 1) {
            checkRings(polygon, value);
        }
        return polygon;
    }

    private static void checkRings(S2Polygon polygon, @Nullable Value value) throws InvalidGeometry {
        S2Error error = new S2Error();
        if (polygon.findValidationError(error)) {
            throw new InvalidGeometry("Polygon isn't valid: %s %s", error.text(), text(value));
        }
        if (!polygon.isNormalized()) {
            throw new InvalidGeometry("Loop 1 shares more than one vertex with its parent loop 0: %s", text(value));
        }
        if (polygon.getLastDescendant(0) < polygon.numLoops() - 1) {
            throw new InvalidGeometry("Only one exterior polygon loop is allowed: %s", text(value));
        }
        for (int i = 0; i < polygon.numLoops(); i++) {
            if (polygon.loop(i).depth() > 1) {
                throw new InvalidGeometry("Polygon interior loops cannot be nested: %s", text(value));
            }
        }
    }

    /** One ring that encloses what is on its left, however large that is. */
    static S2Loop strictLoop(@Nullable Value value) throws InvalidGeometry {
        RawDocument rings = array(value, "Coordinates of polygon must be an array");
        if (rings.size() != 1) {
            throw new InvalidGeometry(
                    "Only one simple loop is allowed in a big polygon, instead provided %d loops: %s",
                    rings.size(), text(value));
        }
        return loop(firstOf(rings), value);
    }

    private static @Nullable Value firstOf(RawDocument rings) {
        Element first = rings.first();
        return first == null ? null : first.value();
    }

    private static S2Loop loop(@Nullable Value ring, @Nullable Value shown) throws InvalidGeometry {
        List<S2Point> points = points(ring);
        if (points.isEmpty()) {
            throw new InvalidGeometry("Loop has no vertices: %s", text(ring));
        }
        if (!points.getFirst().equals(points.getLast())) {
            throw new InvalidGeometry("Loop is not closed, first vertex does not equal last vertex: %s", text(ring));
        }
        points = withoutRepeats(points);
        points.removeLast();
        if (points.size() < 3) {
            throw new InvalidGeometry(
                    "Loop must have at least 3 different vertices, %d unique vertices were provided: %s",
                    points.size(), text(shown));
        }
        S2Loop loop = new S2Loop(points);
        S2Error error = new S2Error();
        if (loop.findValidationError(error)) {
            throw new InvalidGeometry("Loop is not valid: %s %s", text(shown), problem(points, error));
        }
        return loop;
    }

    private static List<S2Point> withoutRepeats(List<S2Point> points) {
        List<S2Point> different = new ArrayList<>(points.size());
        for (S2Point each : points) {
            if (different.isEmpty() || !different.getLast().equals(each)) {
                different.add(each);
            }
        }
        return different;
    }

    /** In the words of MongoDB, which uses an older version of the library. */
    private static String problem(List<S2Point> points, S2Error error) {
        Matcher edges = TWO_NUMBERS.matcher(error.text());
        if (!edges.matches()) {
            return error.text();
        }
        int a = Integer.parseInt(edges.group(1)) % points.size();
        int b = Integer.parseInt(edges.group(2)) % points.size();
        return switch (error.code()) {
            case LOOP_SELF_INTERSECTION ->
                "Edges %d and %d cross. Edge locations in degrees: %s-%s and %s-%s"
                        .formatted(
                                a,
                                b,
                                degrees(points.get(a)),
                                degrees(points.get((a + 1) % points.size())),
                                degrees(points.get(b)),
                                degrees(points.get((b + 1) % points.size())));
            // The edges are named that end at the vertex.
            case DUPLICATE_VERTICES ->
                "Duplicate vertices: %d and %d".formatted((a + 1) % points.size(), (b + 1) % points.size());
            default -> error.text();
        };
    }

    private static String degrees(S2Point point) {
        S2LatLng at = new S2LatLng(point);
        return String.format(Locale.ROOT, "[%.7f, %.7f]", at.latDegrees(), at.lngDegrees());
    }

    /** @param what names the array in the message */
    static RawDocument array(@Nullable Value value, String what) throws InvalidGeometry {
        if (!(value instanceof Value.Array(RawDocument elements))) {
            throw new InvalidGeometry("%s, instead got type %s", what, typeName(value));
        }
        return elements;
    }

    static String typeName(@Nullable Value value) {
        return value == null ? "missing" : value.type().alias();
    }

    static String text(@Nullable Value value) {
        return value == null ? "" : Shell.text(value);
    }
}

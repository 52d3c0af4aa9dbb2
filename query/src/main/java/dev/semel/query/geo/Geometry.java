package dev.semel.query.geo;

import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a document stores, or a query asks for. */
public sealed interface Geometry {

    /** A point, which is also one on the sphere if its coordinates are a longitude and a latitude. */
    record Point(Position position, boolean isGeoJson) implements Geometry {
        @Override
        public List<Shape> onSphere() {
            return position.isOnGlobe() ? List.of(new Shape.Point(position.toSphere())) : List.of();
        }
    }

    /** Any other GeoJSON. */
    record OnSphere(List<Shape> shapes) implements Geometry {
        @Override
        public List<Shape> onSphere() {
            return shapes;
        }
    }

    /** A polygon that encloses what is on its left: a query may ask for it, a stored one is never found. */
    record StrictPolygon(S2Loop loop) implements Geometry {
        @Override
        public List<Shape> onSphere() {
            return List.of();
        }
    }

    /** Its parts on the sphere; empty if it cannot be there. */
    List<Shape> onSphere();

    /** The smallest distance in radians, or NaN if it is not on the sphere. */
    default double radiansFrom(S2Point point) {
        double least = Double.NaN;
        for (Shape each : onSphere()) {
            double distance = each.distance(point);
            if (!(least <= distance)) {
                least = distance;
            }
        }
        return least;
    }

    /**
     * As a document has it: GeoJSON, {@code [x, y]}, or a document whose first two values are numbers. Further values
     * are ignored.
     */
    static Geometry stored(Value value) throws InvalidGeometry {
        RawDocument inside = Position.inside(value);
        if (inside == null) {
            throw new InvalidGeometry("geo element must be an array or object: %s", Coordinates.text(value));
        }
        return isLegacy(value, inside) ? new Point(Position.parse(value, true), false) : GeoJson.parse(inside);
    }

    /** The same, or null if the value is none. */
    static @Nullable Geometry storedOrNull(Value value) {
        try {
            return stored(value);
        } catch (InvalidGeometry e) {
            return null;
        }
    }

    /** What {@code $geometry} of a filter says. */
    static Geometry asked(Value value) throws InvalidGeometry {
        RawDocument inside = Position.inside(value);
        if (inside == null) {
            throw new InvalidGeometry("unknown geo specifier: $geometry: %s", Coordinates.text(value));
        }
        return isLegacy(value, inside) ? new Point(Position.parse(value, false), false) : GeoJson.parse(inside);
    }

    /** The centre of a search. */
    static Point centre(Value value) throws InvalidGeometry {
        RawDocument inside = Position.inside(value);
        return inside == null || isLegacy(value, inside)
                ? new Point(Position.parse(value, false), false)
                : GeoJson.point(inside);
    }

    private static boolean isLegacy(Value value, RawDocument inside) {
        return value instanceof Value.Array
                || (inside.first() instanceof Element(String ignored, Value first) && Numbers.isNumber(first));
    }
}

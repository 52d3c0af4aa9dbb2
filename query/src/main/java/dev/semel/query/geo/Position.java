package dev.semel.query.geo;

import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Point;
import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Two coordinates: on the plane, or longitude and latitude in degrees. */
public record Position(double x, double y) {

    /** Whether the coordinates are a longitude and a latitude. */
    public boolean isOnGlobe() {
        return x >= -180 && x <= 180 && y >= -90 && y <= 90;
    }

    S2Point toSphere() {
        return S2LatLng.fromDegrees(y, x).toPoint();
    }

    static Position of(S2Point point) {
        S2LatLng at = new S2LatLng(point);
        return new Position(at.lngDegrees(), at.latDegrees());
    }

    double distance(Position other) {
        double dx = x - other.x;
        double dy = y - other.y;
        return Math.sqrt(dx * dx + dy * dy);
    }

    /** As {@code includeLocs} shows a pair that was given as an array. */
    public Value toValue() {
        return new dev.semel.wire.bson.BsonWriter(32)
                .add(Value.of(x))
                .add(Value.of(y))
                .finishArray();
    }

    /**
     * An array or document whose first two values are numbers.
     *
     * @param allowsMore whether further values may follow, such as an altitude
     */
    static Position parse(@Nullable Value value, boolean allowsMore) throws InvalidGeometry {
        RawDocument pair = inside(value);
        if (pair == null) {
            throw new InvalidGeometry(
                    "Point must be an array or object, instead got type %s", Coordinates.typeName(value));
        }
        Iterator<Element> elements = pair.iterator();
        double x = coordinate(elements);
        double y = coordinate(elements);
        if (!allowsMore && elements.hasNext()) {
            throw new InvalidGeometry("Point must only contain two numeric elements");
        }
        if (!Double.isFinite(x) || !Double.isFinite(y)) {
            throw new InvalidGeometry("Point coordinates must be finite numbers");
        }
        return new Position(x, y);
    }

    private static double coordinate(Iterator<Element> elements) throws InvalidGeometry {
        Value value = elements.hasNext() ? elements.next().value() : null;
        if (value == null || !Numbers.isNumber(value)) {
            throw new InvalidGeometry(
                    "Point must only contain numeric elements, instead got type %s", Coordinates.typeName(value));
        }
        return Numbers.doubleOf(value);
    }

    static @Nullable RawDocument inside(@Nullable Value value) {
        return switch (value) {
            case Value.Array(RawDocument elements) -> elements;
            case Value.Doc(RawDocument document) -> document;
            case null, default -> null;
        };
    }

    Position requireOnGlobe() throws InvalidGeometry {
        if (!isOnGlobe()) {
            throw new InvalidGeometry(
                    "Longitude/latitude is out of bounds, lng: %s lat: %s",
                    Coordinates.number(x), Coordinates.number(y));
        }
        return this;
    }
}

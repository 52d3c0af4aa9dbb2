package dev.semel.query.geo;

import com.google.common.geometry.S2Point;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads GeoJSON objects. Unknown fields are ignored. */
final class GeoJson {
    private static final String CRS84 = "urn:ogc:def:crs:OGC:1.3:CRS84";
    private static final String EPSG_4326 = "EPSG:4326";

    /** MongoDB's own: a polygon is what is on the left of its border, even if that is more than half of the sphere. */
    private static final String STRICT_WINDING = "urn:x-mongodb:crs:strictwinding:EPSG:4326";

    private GeoJson() {}

    private enum Type {
        POINT("Point"),
        LINE_STRING("LineString"),
        POLYGON("Polygon"),
        MULTI_POINT("MultiPoint"),
        MULTI_LINE_STRING("MultiLineString"),
        MULTI_POLYGON("MultiPolygon"),
        GEOMETRY_COLLECTION("GeometryCollection");

        private static final Map<String, Type> BY_NAME =
                Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(each -> each.name, Function.identity()));

        private final String name;

        Type(String name) {
            this.name = name;
        }

        static @Nullable Type of(RawDocument object) {
            return object.get("type") instanceof Value.Str(var name) ? BY_NAME.get(name.toString()) : null;
        }
    }

    static Geometry parse(RawDocument object) throws InvalidGeometry {
        Type type = Type.of(object);
        if (type == null) {
            throw new InvalidGeometry("unknown GeoJSON type: %s", Coordinates.text(Value.of(object)));
        }
        if (type == Type.POINT) {
            return point(object);
        }
        if (type == Type.POLYGON && isStrict(object, true)) {
            return new Geometry.StrictPolygon(Coordinates.strictLoop(object.get("coordinates")));
        }
        List<Shape> shapes = new ArrayList<>();
        if (type == Type.GEOMETRY_COLLECTION) {
            collection(object, shapes);
        } else {
            simple(type, object, shapes);
        }
        return new Geometry.OnSphere(List.copyOf(shapes));
    }

    /** A point as the centre of a search; without a type it is taken for one. */
    static Geometry.Point point(RawDocument object) throws InvalidGeometry {
        Type type = Type.of(object);
        if (object.has("type") && type != Type.POINT) {
            throw new InvalidGeometry(
                    "Expected geojson geometry with type Point, but got type %s", type == null ? "unknown" : type.name);
        }
        isStrict(object, false);
        Position at = Position.parse(object.get("coordinates"), true).requireOnGlobe();
        return new Geometry.Point(at, true);
    }

    private static void simple(Type type, RawDocument object, List<Shape> into) throws InvalidGeometry {
        boolean strict = isStrict(object, type == Type.POLYGON);
        Value coordinates = object.get("coordinates");
        switch (type) {
            case POINT -> into.add(new Shape.Point(point(object).position().toSphere()));
            case LINE_STRING -> into.add(new Shape.Line(Coordinates.line(coordinates)));
            case POLYGON ->
                into.add(
                        strict
                                ? Shape.enclosed(Coordinates.strictLoop(coordinates))
                                : new Shape.Polygon(Coordinates.polygon(coordinates)));
            case MULTI_POINT -> {
                for (S2Point each : Coordinates.points(coordinates)) {
                    into.add(new Shape.Point(each));
                }
                requireSome(into, type);
            }
            case MULTI_LINE_STRING -> {
                for (Element each : parts(coordinates, type)) {
                    into.add(new Shape.Line(Coordinates.line(each.value())));
                }
            }
            case MULTI_POLYGON -> {
                for (Element each : parts(coordinates, type)) {
                    into.add(new Shape.Polygon(Coordinates.polygon(each.value())));
                }
            }
            case GEOMETRY_COLLECTION -> throw new IllegalStateException("a collection is not simple");
        }
    }

    private static RawDocument parts(@Nullable Value coordinates, Type type) throws InvalidGeometry {
        RawDocument parts = Coordinates.array(coordinates, type.name + " coordinates must be an array");
        if (parts.isEmpty()) {
            throw new InvalidGeometry("%s coordinates must have at least 1 element", type.name);
        }
        return parts;
    }

    private static void requireSome(List<Shape> shapes, Type type) throws InvalidGeometry {
        if (shapes.isEmpty()) {
            throw new InvalidGeometry("%s coordinates must have at least 1 element", type.name);
        }
    }

    private static void collection(RawDocument object, List<Shape> into) throws InvalidGeometry {
        RawDocument geometries =
                Coordinates.array(object.get("geometries"), "GeometryCollection geometries must be an array");
        if (geometries.isEmpty()) {
            throw new InvalidGeometry("GeometryCollection geometries must have at least 1 element");
        }
        int position = 0;
        for (Element each : geometries) {
            if (!(each.value() instanceof Value.Doc(RawDocument geometry))) {
                throw new InvalidGeometry(
                        "Element %d of \"geometries\" must be an object, instead got type %s: %s",
                        position, Coordinates.typeName(each.value()), Coordinates.text(each.value()));
            }
            Type type = Type.of(geometry);
            if (type == null) {
                throw new InvalidGeometry("Unknown GeoJSON type: %s", Coordinates.text(each.value()));
            }
            if (type == Type.GEOMETRY_COLLECTION) {
                throw new InvalidGeometry("GeometryCollections cannot be nested: %s", Coordinates.text(each.value()));
            }
            List<Shape> shapes = new ArrayList<>();
            simple(type, geometry, shapes);
            into.addAll(shapes);
            position++;
        }
    }

    private static boolean isStrict(RawDocument object, boolean allowed) throws InvalidGeometry {
        Value crs = object.get("crs");
        if (crs == null) {
            return false;
        }
        RawDocument system = Position.inside(crs);
        if (system == null) {
            throw new InvalidGeometry("GeoJSON CRS must be an object, instead got type %s", Coordinates.typeName(crs));
        }
        if (!(system.get("type") instanceof Value.Str(var type))
                || !type.toString().equals("name")) {
            throw new InvalidGeometry("GeoJSON CRS must have field \"type\": \"name\"");
        }
        Value found = system.get("properties");
        RawDocument properties = Position.inside(found);
        if (properties == null) {
            throw new InvalidGeometry(
                    "CRS must have field \"properties\" which is an object, instead got type %s",
                    Coordinates.typeName(found));
        }
        Value name = properties.get("name");
        if (!(name instanceof Value.Str(var text))) {
            throw new InvalidGeometry(
                    "In CRS, \"properties.name\" must be a string, instead got type %s", Coordinates.typeName(name));
        }
        return switch (text.toString()) {
            case CRS84, EPSG_4326 -> false;
            case STRICT_WINDING -> {
                if (!allowed) {
                    throw new InvalidGeometry("Strict winding order CRS is only supported by polygon");
                }
                yield true;
            }
            default -> throw new InvalidGeometry("Unknown CRS name: %s", text);
        };
    }
}

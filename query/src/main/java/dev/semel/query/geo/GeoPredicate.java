package dev.semel.query.geo;

import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code $geoWithin} and {@code $geoIntersects} ask of a value.
 *
 * @param within whether all of the stored shape must be in the region; otherwise a part is enough
 * @param given the operator as the client wrote it, for {@code explain}
 */
public record GeoPredicate(boolean within, Region region, Element given) {
    private static final byte DOCUMENT = 0x03;
    private static final byte ARRAY = 0x04;

    /** What {@code $geoWithin}, {@code $within} or {@code $geoIntersects} says. */
    public static GeoPredicate parse(String operator, Value value, RawDocument siblings) {
        Element given = new Element(operator, value);
        Iterator<Element> all = siblings.iterator();
        all.next();
        if (all.hasNext()) {
            throw bad("can't parse extra field: %s", text(all.next()));
        }
        if (!(value instanceof Value.Doc(RawDocument geometry))) {
            throw bad("geometry must be an object");
        }
        boolean within = !operator.equals("$geoIntersects");
        Region region = null;
        for (Element each : geometry) {
            if (region != null && operator.equals("$geoWithin")) {
                throw bad("$geoWithin doesn't accept multiple shapes %s", text(given));
            }
            if (!each.name().equals("$uniqueDocs")) {
                region = region(each, within, given);
            }
        }
        if (region == null) {
            throw bad("geo query doesn't have any geometry");
        }
        return new GeoPredicate(within, region, given);
    }

    private static Region region(Element specifier, boolean within, Element given) {
        RawDocument inside = Position.inside(specifier.value());
        if (inside == null) {
            throw bad("unknown geo specifier: %s", text(specifier));
        }
        try {
            Region region = switch (specifier.name()) {
                case "$geometry" -> ofGeometry(specifier.value(), within, given);
                case "$box" -> box(inside);
                case "$polygon" -> corners(inside);
                case "$center" -> circle(inside, false);
                case "$centerSphere" -> circle(inside, true);
                default -> throw bad("unknown geo specifier: %s", text(specifier));
            };
            if (!within && region instanceof Region.Plane) {
                throw bad("$geoIntersect not supported with provided geometry: %s", document(given));
            }
            return region;
        } catch (InvalidGeometry e) {
            throw bad("%s", e.reason());
        }
    }

    private static Region ofGeometry(Value value, boolean within, Element given) throws InvalidGeometry {
        Geometry geometry = Geometry.asked(value);
        List<Shape> shapes = geometry instanceof Geometry.StrictPolygon(var loop)
                ? List.of(Shape.enclosed(loop))
                : geometry.onSphere();
        if (within && shapes.stream().noneMatch(Shape::hasInside)) {
            throw bad("$within not supported with provided geometry: %s", document(given));
        }
        if (shapes.isEmpty()) {
            throw bad("$geoIntersect not supported with provided geometry: %s", document(given));
        }
        return new Region.Sphere(shapes);
    }

    private static Region box(RawDocument corners) throws InvalidGeometry {
        Iterator<Element> each = corners.iterator();
        return Region.Box.of(Position.parse(next(each), false), Position.parse(next(each), false));
    }

    private static Region corners(RawDocument points) throws InvalidGeometry {
        List<Position> corners = new ArrayList<>();
        for (Element each : points) {
            corners.add(Position.parse(each.value(), false));
        }
        if (corners.size() < 3) {
            throw new InvalidGeometry("Polygon must have at least 3 points, instead got %d vertices", corners.size());
        }
        return Region.Corners.of(corners);
    }

    private static Region circle(RawDocument parts, boolean onSphere) throws InvalidGeometry {
        Iterator<Element> each = parts.iterator();
        Position centre = Position.parse(next(each), false);
        if (onSphere) {
            centre.requireOnGlobe();
        }
        Value radius = next(each);
        if (radius == null || !Numbers.isNumber(radius) || !(Numbers.doubleOf(radius) >= 0)) {
            throw new InvalidGeometry(
                    "Radius must be a non-negative number: %s", radius == null ? "EOO" : Shell.text(radius));
        }
        if (each.hasNext()) {
            throw new InvalidGeometry("Only 2 fields allowed for circular region, but more were provided");
        }
        double length = Numbers.doubleOf(radius);
        return onSphere
                ? new Region.Sphere(List.of(new Shape.Cap(centre.toSphere(), length)))
                : new Region.Circle(centre, length);
    }

    private static @Nullable Value next(Iterator<Element> elements) {
        return elements.hasNext() ? elements.next().value() : null;
    }

    /** Whether the value is a shape as wanted; whatever is none is not. */
    public boolean test(byte type, byte[] bytes, int at) {
        if (type != DOCUMENT && type != ARRAY) {
            return false;
        }
        Geometry geometry = Geometry.storedOrNull(ElementCursor.decode(bytes, type, at));
        return geometry != null && test(geometry);
    }

    /** Whether a document may store the value as a place or a shape. */
    public static boolean isGeometry(Value value) {
        return Geometry.storedOrNull(value) != null;
    }

    boolean test(Geometry geometry) {
        return switch (region) {
            case Region.Plane plane ->
                geometry instanceof Geometry.Point(Position at, var ignored) && plane.contains(at);
            case Region.Sphere(List<Shape> wanted) -> {
                List<Shape> parts = geometry.onSphere();
                yield within ? areWithin(parts, wanted) : meet(parts, wanted);
            }
        };
    }

    /** Each part must be in one of the shapes. */
    private static boolean areWithin(List<Shape> parts, List<Shape> wanted) {
        for (Shape part : parts) {
            if (!isWithin(part, wanted)) {
                return false;
            }
        }
        return !parts.isEmpty();
    }

    private static boolean isWithin(Shape part, List<Shape> wanted) {
        for (Shape each : wanted) {
            if (each.contains(part)) {
                return true;
            }
        }
        return false;
    }

    private static boolean meet(List<Shape> parts, List<Shape> wanted) {
        for (Shape part : parts) {
            for (Shape each : wanted) {
                if (each.intersects(part)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Two predicates are equal if they were written in the same way. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GeoPredicate that && given.equals(that.given);
    }

    @Override
    public int hashCode() {
        return given.hashCode();
    }

    private static String text(Element element) {
        return element.name() + ": " + Shell.text(element.value());
    }

    private static String document(Element element) {
        return "{ " + text(element) + " }";
    }

    private static CommandException bad(String format, Object... arguments) {
        return new CommandException(ErrorCode.BadValue, format, arguments);
    }
}

package dev.semel.query.geo;

import com.google.common.geometry.S2Point;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * What {@code $near}, {@code $nearSphere} and {@code $geoNear} ask for: documents in the order of their distance from a
 * point. An index answers it.
 *
 * @param onSphere whether distances are measured on the sphere, otherwise on the plane
 * @param metres whether distances are given in metres; otherwise in radians on the sphere, in units of the coordinates
 *     on the plane
 * @param minDistance as given, and so is {@code maxDistance}
 * @param isSphereOperator whether the operator is {@code $nearSphere} with the point itself
 * @param given the operators as the client wrote them, for {@code explain}
 */
public record NearQuery(
        Position centre,
        boolean onSphere,
        boolean metres,
        double minDistance,
        double maxDistance,
        boolean isSphereOperator,
        RawDocument given) {

    /** The operators of a field, of which one is this. */
    public static NearQuery parse(RawDocument operators) {
        Legacy legacy = new Legacy();
        return legacy.read(operators) ? legacy.query(operators) : withOptionsInside(operators);
    }

    /** {@code {$near: point, $minDistance: 1, $maxDistance: 2}}. */
    private static final class Legacy {
        private Geometry.@Nullable Point centre;
        private boolean isSphereOperator;
        private double minDistance;
        private double maxDistance = Double.MAX_VALUE;

        boolean read(RawDocument operators) {
            for (Element each : operators) {
                Value value = each.value();
                switch (each.name()) {
                    case "$near", "$nearSphere", "$geoNear" -> {
                        if (Position.inside(value) == null) {
                            return false;
                        }
                        centre(each.name(), value);
                    }
                    case "$minDistance" -> minDistance = distance(each, 16893, 16894);
                    case "$maxDistance" -> maxDistance = distance(each, 16895, 16896);
                    case "$uniqueDocs" -> {}
                    default ->
                        throw new CommandException(
                                ErrorCode.location(34413), "invalid argument in geo near query: %s", each.name());
                }
            }
            return centre != null;
        }

        private void centre(String operator, Value value) {
            try {
                centre = Geometry.centre(value);
            } catch (InvalidGeometry e) {
                if (!pairAndDistance(value)) {
                    return;
                }
            }
            isSphereOperator = operator.equals("$nearSphere");
        }

        /** {@code [x, y, maxDistance]}. */
        private boolean pairAndDistance(Value value) {
            RawDocument three = Position.inside(value);
            if (three == null || three.size() != 3) {
                return false;
            }
            double[] numbers = new double[3];
            Iterator<Element> each = three.iterator();
            for (int i = 0; i < numbers.length; i++) {
                Value number = each.next().value();
                if (!Numbers.isNumber(number)) {
                    return false;
                }
                numbers[i] = Numbers.doubleOf(number);
            }
            if (!(numbers[2] >= 0)) {
                throw new CommandException(ErrorCode.location(18522), "max distance must be non-negative");
            }
            centre = new Geometry.Point(new Position(numbers[0], numbers[1]), false);
            maxDistance = numbers[2];
            return true;
        }

        private static double distance(Element element, int notNumber, int negative) {
            if (!Numbers.isNumber(element.value())) {
                throw new CommandException(ErrorCode.location(notNumber), "%s must be a number", element.name());
            }
            double distance = Numbers.doubleOf(element.value());
            if (!(distance >= 0)) {
                throw new CommandException(ErrorCode.location(negative), "%s must be non-negative", element.name());
            }
            return distance;
        }

        NearQuery query(RawDocument operators) {
            Geometry.Point found = centre;
            if (found == null) {
                throw new IllegalStateException("no centre");
            }
            if (isSphereOperator && !found.position().isOnGlobe()) {
                throw bad("Legacy point is out of bounds for spherical query");
            }
            return new NearQuery(
                    found.position(),
                    isSphereOperator || found.isGeoJson(),
                    found.isGeoJson(),
                    minDistance,
                    maxDistance,
                    isSphereOperator,
                    operators);
        }
    }

    /** {@code {$near: {$geometry: point, $minDistance: 1, $maxDistance: 2}}}. */
    private static NearQuery withOptionsInside(RawDocument operators) {
        Iterator<Element> siblings = operators.iterator();
        Element operator = siblings.next();
        if (siblings.hasNext()) {
            throw bad(
                    "geo near accepts just one argument when querying for a GeoJSON point. Extra field found: %s",
                    text(siblings.next()));
        }
        RawDocument options = Position.inside(operator.value());
        if (options == null) {
            throw bad("geo near query argument is not an object");
        }
        Position centre = null;
        double minDistance = 0;
        double maxDistance = Double.MAX_VALUE;
        for (Element each : options) {
            switch (each.name()) {
                case "$geometry" -> centre = geometry(each.value(), centre);
                case "$minDistance" -> minDistance = finite(each);
                case "$maxDistance" -> maxDistance = finite(each);
                default -> throw bad("invalid argument in geo near query: %s", each.name());
            }
        }
        if (centre == null) {
            throw bad("$geometry is required for geo near query");
        }
        return new NearQuery(centre, true, true, minDistance, maxDistance, false, operators);
    }

    private static @Nullable Position geometry(Value value, @Nullable Position otherwise) {
        RawDocument inside = Position.inside(value);
        if (inside == null) {
            return otherwise;
        }
        Geometry.Point point;
        try {
            point = Geometry.centre(value);
        } catch (InvalidGeometry e) {
            throw bad("invalid point in geo near query $geometry argument: %s  %s", Shell.text(value), e.reason());
        }
        if (!point.isGeoJson()) {
            throw bad("$near requires geojson point, given %s", Shell.text(value));
        }
        return point.position();
    }

    private static double finite(Element element) {
        if (!Numbers.isNumber(element.value())) {
            throw bad("%s must be a number", element.name());
        }
        double distance = Numbers.doubleOf(element.value());
        if (!(distance >= 0) || Double.isInfinite(distance)) {
            throw bad("%s must be non-negative", element.name());
        }
        return distance;
    }

    private static String text(Element element) {
        return element.name() + ": " + Shell.text(element.value());
    }

    private static CommandException bad(String format, Object... arguments) {
        return new CommandException(ErrorCode.BadValue, format, arguments);
    }

    /** Whether it can be asked of an index that holds pairs on the plane. */
    public boolean fitsPlane() {
        return !metres;
    }

    /** Whether it can be asked of an index that holds shapes on the sphere. */
    public boolean fitsSphere() {
        return onSphere;
    }

    // ---- distances within the search: radians on the sphere, units of the coordinates on the plane

    public double least() {
        return metres ? minDistance / Shape.EARTH_RADIUS_METRES : minDistance;
    }

    public double most() {
        return metres ? maxDistance / Shape.EARTH_RADIUS_METRES : maxDistance;
    }

    /** From the centre to the nearest part of what is stored; NaN if there is no distance. */
    public double distance(Geometry geometry) {
        if (onSphere) {
            return geometry.radiansFrom(point());
        }
        return geometry instanceof Geometry.Point(Position at, var ignored) ? centre.distance(at) : Double.NaN;
    }

    S2Point point() {
        return centre.toSphere();
    }

    /** As the client wants to see it. */
    public double shown(double distance) {
        return metres ? distance * Shape.EARTH_RADIUS_METRES : distance;
    }

    /** As the error of a query without an index describes it. */
    public String describe(String path) {
        return "GEONEAR  field=%s maxdist=%s isNearSphere=%d"
                .formatted(path, Coordinates.number(maxDistance), isSphereOperator ? 1 : 0);
    }
}

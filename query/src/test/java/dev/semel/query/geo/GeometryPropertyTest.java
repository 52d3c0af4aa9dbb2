package dev.semel.query.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.semel.golden.Seeds;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Shapes on the sphere against closed forms, and the cells of indexes against the shapes. */
class GeometryPropertyTest {
    private static final double RADIANS = Math.PI / 180;

    /** Borders are exact to less than a centimetre, which is 1.6e-9 radians. */
    private static final double BORDER = 1e-8;

    @Test
    void distancesAreHaversines() {
        Seeds.check(2_000, random -> {
            Position a = anywhere(random);
            Position b = random.nextBoolean() ? anywhere(random) : beside(random, a);
            NearQuery radians = near("$nearSphere", pair(a));
            NearQuery metres = near("$near", point(a));
            Geometry geometry = new Geometry.Point(b, true);
            assertThat(radians.distance(geometry)).isCloseTo(haversine(a, b), offset(1e-12));
            assertThat(metres.shown(metres.distance(geometry))).isCloseTo(haversine(a, b) * 6_378_100, offset(1e-6));
        });
    }

    @Test
    void capsContainWhatIsNearTheirCentre() {
        Seeds.check(2_000, random -> {
            Position centre = anywhere(random);
            double radius = random.nextDouble() * Math.PI;
            GeoPredicate cap = within(
                    "$centerSphere",
                    new BsonWriter().add(pair(centre)).add(Value.of(radius)).finishArray());
            Position at = anywhere(random);
            double distance = haversine(centre, at);
            if (Math.abs(distance - radius) > BORDER) {
                assertThat(cap.test(new Geometry.Point(at, true))).isEqualTo(distance < radius);
            }
        });
    }

    /** The points of a triangle are on the same side of all its edges. */
    @Test
    void trianglesContainWhatIsOnTheInnerSideOfTheirEdges() {
        Seeds.check(2_000, random -> {
            Position[] corners = {anywhere(random), anywhere(random), anywhere(random)};
            double[][] vectors = {vector(corners[0]), vector(corners[1]), vector(corners[2])};
            double turn = dot(cross(vectors[0], vectors[1]), vectors[2]);
            Position at = anywhere(random);
            double[] sides = new double[3];
            for (int i = 0; i < 3; i++) {
                sides[i] = dot(cross(vectors[i], vectors[(i + 1) % 3]), vector(at)) * Math.signum(turn);
            }
            boolean isClear = Math.abs(turn) > 1e-3
                    && Math.abs(sides[0]) > BORDER
                    && Math.abs(sides[1]) > BORDER
                    && Math.abs(sides[2]) > BORDER;
            if (isClear) {
                boolean inside = sides[0] > 0 && sides[1] > 0 && sides[2] > 0;
                Geometry point = new Geometry.Point(at, true);
                assertThat(within("$geometry", polygon(corners)).test(point)).isEqualTo(inside);
                assertThat(predicate("$geoIntersects", "$geometry", polygon(corners))
                                .test(point))
                        .isEqualTo(inside);
            }
        });
    }

    /** What is within a cap or intersects a polygon has one of the keys that an index is asked for. */
    @Test
    void keysOfWhatIsFoundAreInTheRanges() {
        SphereCells cells = new SphereCells(3);
        Seeds.check(1_500, random -> {
            Position around = anywhere(random);
            Value stored = shape(random, around);
            GeoPredicate asked = random.nextBoolean()
                    ? within(
                            "$centerSphere",
                            new BsonWriter()
                                    .add(pair(beside(random, around)))
                                    .add(Value.of(random.nextDouble() * 0.3))
                                    .finishArray())
                    : predicate("$geoIntersects", "$geometry", shape(random, beside(random, around)));
            Geometry geometry = Geometry.stored(stored);
            if (asked.test(geometry)) {
                List<CellSpace.Range> ranges = cells.ranges(asked);
                assertThat(cells.keys("g", stored, RawDocument.EMPTY))
                        .as("%s in %s", stored, asked)
                        .anyMatch(key -> isIn(ranges, key));
            }
        });
    }

    @Test
    void keysOfWhatIsFoundOnThePlaneAreInTheRanges() {
        Seeds.check(1_500, random -> {
            double max = random.nextBoolean() ? 180 : 1 + random.nextInt(1000);
            PlaneCells cells = new PlaneCells(1 + random.nextInt(32), -max, max);
            Position at = inSquare(random, max);
            Position other = inSquare(random, max);
            double size = random.nextDouble() * max / 4;
            GeoPredicate asked = switch (random.nextInt(3)) {
                case 0 ->
                    within(
                            "$box",
                            new BsonWriter().add(pair(at)).add(pair(other)).finishArray());
                case 1 ->
                    within(
                            "$center",
                            new BsonWriter()
                                    .add(pair(other))
                                    .add(Value.of(size))
                                    .finishArray());
                default ->
                    within(
                            "$polygon",
                            new BsonWriter()
                                    .add(pair(at))
                                    .add(pair(other))
                                    .add(pair(inSquare(random, max)))
                                    .finishArray());
            };
            Position found = random.nextBoolean() ? at : inSquare(random, max);
            if (asked.test(new Geometry.Point(found, false))) {
                long key = cells.key(elements(pair(found)), RawDocument.EMPTY);
                assertThat(isIn(cells.ranges(asked), key))
                        .as("%s in %s", found, asked)
                        .isTrue();
            }
        });
    }

    /** A search by distance relies on both bounds of every cell, and on the cells being within each other. */
    @Test
    void nothingInACellIsNearerOrFurtherThanTheCellSays() {
        Seeds.check(1_500, random -> {
            double max = random.nextBoolean() ? 180 : 1 + random.nextInt(1000);
            boolean plane = random.nextBoolean();
            CellSpace cells = plane ? new PlaneCells(1 + random.nextInt(32), -max, max) : new SphereCells(3);
            Position centre = plane ? inSquare(random, Math.min(max, 90)) : anywhere(random);
            Position at = plane ? inSquare(random, max) : anywhere(random);
            NearQuery near = plane
                    ? near(random.nextBoolean() ? "$near" : "$nearSphere", pair(centre))
                    : near("$near", point(centre));
            double distance = near.distance(new Geometry.Point(at, false));
            Cell last = null;
            for (Cell cell : cells.around(at)) {
                if (!Double.isNaN(distance)) {
                    assertThat(cell.least(near)).isLessThanOrEqualTo(distance + 1e-12 * Math.max(1, distance));
                    assertThat(cell.most(near)).isGreaterThanOrEqualTo(distance - 1e-12 * Math.max(1, distance));
                }
                if (last == null) {
                    assertThat(cells.of(cell.low())).isEqualTo(cell);
                } else {
                    assertThat(cell.parts()).contains(last);
                    assertThat(last.low()).isGreaterThanOrEqualTo(cell.low());
                    assertThat(last.high()).isLessThanOrEqualTo(cell.high());
                }
                last = cell;
            }
            assertThat(cells.all()).contains(last);
        });
    }

    // ---- shapes

    /** Uniform on the sphere, with poles and the 180th meridian now and then. */
    private static Position anywhere(Random random) {
        double lng = random.nextInt(10) == 0 ? 180 : random.nextDouble() * 360 - 180;
        double lat = random.nextInt(20) == 0 ? 90 : Math.asin(random.nextDouble() * 2 - 1) / RADIANS;
        return new Position(lng, lat);
    }

    private static Position beside(Random random, Position position) {
        double size = Math.pow(10, -random.nextInt(6));
        return new Position(
                Math.clamp(position.x() + (random.nextDouble() - 0.5) * size, -180, 180),
                Math.clamp(position.y() + (random.nextDouble() - 0.5) * size, -90, 90));
    }

    private static Position inSquare(Random random, double max) {
        return new Position(
                random.nextInt(10) == 0 ? max : (random.nextDouble() * 2 - 1) * max,
                random.nextInt(10) == 0 ? -max : (random.nextDouble() * 2 - 1) * max);
    }

    private static Value shape(Random random, Position around) {
        Position other = beside(random, around);
        return switch (random.nextInt(4)) {
            case 0 -> point(around);
            case 1 -> around.equals(other) ? point(around) : geoJson("LineString", array(pair(around), pair(other)));
            case 2 -> geoJson("MultiPoint", array(pair(around), pair(other), pair(anywhere(random))));
            default -> {
                double x = Math.clamp(around.x(), -170, 170);
                double y = Math.clamp(around.y(), -80, 80);
                double size = Math.pow(10, -random.nextInt(6)) * 5;
                yield polygon(
                        new Position(x, y),
                        new Position(x + size, y),
                        new Position(x + size, y + size),
                        new Position(x, y + size));
            }
        };
    }

    private static Value polygon(Position... corners) {
        BsonWriter ring = new BsonWriter();
        for (Position each : corners) {
            ring.add(pair(each));
        }
        return geoJson("Polygon", array(ring.add(pair(corners[0])).finishArray()));
    }

    private static Value point(Position at) {
        return geoJson("Point", pair(at));
    }

    private static Value geoJson(String type, Value coordinates) {
        return Value.of(new BsonWriter()
                .put("type", type)
                .put("coordinates", coordinates)
                .finish());
    }

    private static Value pair(Position at) {
        return array(Value.of(at.x()), Value.of(at.y()));
    }

    private static Value array(Value... elements) {
        BsonWriter array = new BsonWriter();
        for (Value each : elements) {
            array.add(each);
        }
        return array.finishArray();
    }

    private static RawDocument elements(Value value) {
        return value instanceof Value.Array(RawDocument elements) ? elements : RawDocument.EMPTY;
    }

    // ---- questions

    private static GeoPredicate within(String specifier, Value shape) {
        return predicate("$geoWithin", specifier, shape);
    }

    private static GeoPredicate predicate(String operator, String specifier, Value shape) {
        Value asked = Value.of(new BsonWriter().put(specifier, shape).finish());
        return GeoPredicate.parse(
                operator, asked, new BsonWriter().put(operator, asked).finish());
    }

    private static NearQuery near(String operator, Value centre) {
        return NearQuery.parse(new BsonWriter().put(operator, centre).finish());
    }

    private static boolean isIn(List<CellSpace.Range> ranges, long key) {
        return ranges.stream().anyMatch(each -> each.low() <= key && key <= each.high());
    }

    // ---- closed forms

    private static double haversine(Position a, Position b) {
        double byLat = Math.sin((b.y() - a.y()) * RADIANS / 2);
        double byLng = Math.sin((b.x() - a.x()) * RADIANS / 2);
        double half = byLat * byLat + Math.cos(a.y() * RADIANS) * Math.cos(b.y() * RADIANS) * byLng * byLng;
        return 2 * Math.atan2(Math.sqrt(half), Math.sqrt(Math.max(0, 1 - half)));
    }

    private static double[] vector(Position at) {
        double lng = at.x() * RADIANS;
        double lat = at.y() * RADIANS;
        return new double[] {Math.cos(lat) * Math.cos(lng), Math.cos(lat) * Math.sin(lng), Math.sin(lat)};
    }

    private static double[] cross(double[] a, double[] b) {
        return new double[] {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    }

    private static double dot(double[] a, double[] b) {
        return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
}

package dev.semel.query.geo;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import dev.semel.golden.Seeds;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Large lines are compared by an index of edges; what S2 says of their parts, or of all their edges, is right. */
class ContactTest {
    private static final int VERTICES = 150;

    /** Some lines turn around within the polygon, some cross its border, some lie beside it, some share a vertex with it. */
    @Test
    void linesAndPolygonsAreAsTheirPartsAre() {
        Set<Contact> seen = EnumSet.noneOf(Contact.class);
        Seeds.check(300, random -> {
            List<S2Point> ring = ring(random);
            S2Polygon polygon = new S2Polygon(new S2Loop(ring));
            List<S2Point> walk = walk(random, 2 + random.nextInt(2) * 10, 0.2);
            if (random.nextInt(4) == 0) {
                walk.set(random.nextInt(walk.size()), ring.get(random.nextInt(ring.size())));
            }
            S2Polyline line = new S2Polyline(walk);
            seen.add(Contact.of(line, polygon));
            Shape.Polygon shape = new Shape.Polygon(polygon);
            boolean intersects = !polygon.intersectWithPolyline(line).isEmpty();
            assertThat(shape.intersects(new Shape.Line(line))).isEqualTo(intersects);
            if (Contact.of(line, polygon) != Contact.TOUCHING) {
                assertThat(shape.contains(new Shape.Line(line)))
                        .isEqualTo(intersects && walk.stream().allMatch(polygon::contains) && !crosses(line, ring));
            }
            assertThat(new Shape.Beyond(new S2Loop(ring), polygon).contains(new Shape.Line(line)))
                    .isEqualTo(!intersects);
        });
        assertThat(seen).containsExactlyInAnyOrder(Contact.values());
    }

    /** The middle of an edge is on it but for rounding, so that a line which ends there may cross the border. */
    @Test
    void lineThatEndsOnTheBorderIsWithin() {
        List<S2Point> ring = new ArrayList<>();
        for (int i = 0; i < VERTICES; i++) {
            double angle = 2 * Math.PI * i / VERTICES;
            ring.add(point(8 * Math.sin(angle), 8 * Math.cos(angle)));
        }
        S2Polygon polygon = new S2Polygon(new S2Loop(ring));
        Seeds.check(20, random -> {
            List<S2Point> walk = walk(random, 2, 0.05);
            int edge = random.nextInt(1, ring.size());
            S2Point middle = S2Point.normalize(S2Point.add(ring.get(edge - 1), ring.get(edge)));
            S2Point outwards = S2Point.sub(middle, new S2Point(1, 0, 0));
            walk.add(S2Point.normalize(S2Point.add(middle, S2Point.mul(outwards, 1e-12))));
            S2Polyline line = new S2Polyline(walk);
            assertThat(Contact.of(line, polygon)).isEqualTo(Contact.CROSSING);
            assertThat(new Shape.Polygon(polygon).contains(new Shape.Line(line)))
                    .isTrue();
            walk.add(point(20, 0));
            assertThat(new Shape.Polygon(polygon).contains(new Shape.Line(new S2Polyline(walk))))
                    .isFalse();
        });
    }

    @Test
    void linesAreAsTheirEdgesAre() {
        boolean[] seen = new boolean[2];
        Seeds.check(300, random -> {
            S2Polyline one = new S2Polyline(walk(random, 3, 0.01));
            List<S2Point> walk = walk(random, 3, 0.01);
            if (random.nextInt(4) == 0) {
                walk.set(random.nextInt(walk.size()), one.vertex(random.nextInt(one.numVertices())));
            }
            S2Polyline other = new S2Polyline(walk);
            boolean meet = one.intersects(other);
            seen[meet ? 1 : 0] = true;
            assertThat(new Shape.Line(one).intersects(new Shape.Line(other))).isEqualTo(meet);
        });
        assertThat(seen).containsExactly(true, true);
    }

    private static boolean crosses(S2Polyline line, List<S2Point> ring) {
        List<S2Point> closed = new ArrayList<>(ring);
        closed.add(ring.getFirst());
        return line.intersects(new S2Polyline(closed));
    }

    /** A star around 0, 0 that reaches 5 to 10 degrees far. */
    private static List<S2Point> ring(Random random) {
        List<S2Point> ring = new ArrayList<>();
        for (int i = 0; i < VERTICES; i++) {
            double angle = 2 * Math.PI * i / VERTICES;
            double radius = 5 + 5 * random.nextDouble();
            ring.add(point(radius * Math.sin(angle), radius * Math.cos(angle)));
        }
        return ring;
    }

    private static List<S2Point> walk(Random random, double reach, double step) {
        List<S2Point> walk = new ArrayList<>();
        double latitude = reach * (2 * random.nextDouble() - 1);
        double longitude = reach * (2 * random.nextDouble() - 1);
        for (int i = 0; i < VERTICES; i++) {
            walk.add(point(latitude, longitude));
            latitude += step * random.nextGaussian();
            longitude += step * random.nextGaussian();
        }
        return walk;
    }

    private static S2Point point(double latitude, double longitude) {
        return S2LatLng.fromDegrees(latitude, longitude).toPoint();
    }
}

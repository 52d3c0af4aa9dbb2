package dev.semel.driver.model.geojson;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonArray;

/** An area: the ring around it and the rings around its holes. A ring ends where it begins. */
public record PolygonCoordinates(List<Position> exterior, List<List<Position>> holes) {
    private static final int RING_POSITIONS_MIN = 4;

    public PolygonCoordinates {
        exterior = List.copyOf(exterior);
        holes = List.copyOf(holes);
        check(exterior);
        holes.forEach(PolygonCoordinates::check);
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // copied
    public PolygonCoordinates(List<Position> exterior, List<Position>... holes) {
        this(exterior, Arrays.asList(holes));
    }

    private static void check(List<Position> ring) {
        if (ring.size() < RING_POSITIONS_MIN || !ring.getFirst().equals(ring.getLast())) {
            throw new IllegalArgumentException("A ring has at least four positions and ends where it begins: " + ring);
        }
    }

    public List<Position> getExterior() {
        return exterior;
    }

    public List<List<Position>> getHoles() {
        return holes;
    }

    BsonArray toBson() {
        var rings = new ArrayList<List<Position>>();
        rings.add(exterior);
        rings.addAll(holes);
        return Geometry.array(rings, Geometry::line);
    }
}

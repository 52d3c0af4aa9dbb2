package dev.semel.driver.model.geojson;

import java.util.List;
import org.bson.BsonDocument;

/** An area, perhaps with holes. */
public record Polygon(PolygonCoordinates coordinates) implements Geometry {
    @SafeVarargs
    @SuppressWarnings("varargs") // handed on
    public Polygon(List<Position> exterior, List<Position>... holes) {
        this(new PolygonCoordinates(exterior, holes));
    }

    public Polygon(List<Position> exterior, List<List<Position>> holes) {
        this(new PolygonCoordinates(exterior, holes));
    }

    public PolygonCoordinates getCoordinates() {
        return coordinates;
    }

    public List<Position> getExterior() {
        return coordinates.exterior();
    }

    public List<List<Position>> getHoles() {
        return coordinates.holes();
    }

    @Override
    public BsonDocument toBson() {
        return Geometry.of("Polygon", coordinates.toBson());
    }
}

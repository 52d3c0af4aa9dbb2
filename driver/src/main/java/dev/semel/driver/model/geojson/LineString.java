package dev.semel.driver.model.geojson;

import java.util.List;
import org.bson.BsonDocument;

/** Positions with a line between them. */
public record LineString(List<Position> coordinates) implements Geometry {
    public LineString {
        coordinates = List.copyOf(coordinates);
    }

    public List<Position> getCoordinates() {
        return coordinates;
    }

    @Override
    public BsonDocument toBson() {
        return Geometry.of("LineString", Geometry.line(coordinates));
    }
}

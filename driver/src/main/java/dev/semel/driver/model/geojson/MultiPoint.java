package dev.semel.driver.model.geojson;

import java.util.List;
import org.bson.BsonDocument;

/** Several positions. */
public record MultiPoint(List<Position> coordinates) implements Geometry {
    public MultiPoint {
        coordinates = List.copyOf(coordinates);
    }

    public List<Position> getCoordinates() {
        return coordinates;
    }

    @Override
    public BsonDocument toBson() {
        return Geometry.of("MultiPoint", Geometry.line(coordinates));
    }
}

package dev.semel.driver.model.geojson;

import java.util.List;
import org.bson.BsonDocument;

/** Several areas. */
public record MultiPolygon(List<PolygonCoordinates> coordinates) implements Geometry {
    public MultiPolygon {
        coordinates = List.copyOf(coordinates);
    }

    public List<PolygonCoordinates> getCoordinates() {
        return coordinates;
    }

    @Override
    public BsonDocument toBson() {
        return Geometry.of("MultiPolygon", Geometry.array(coordinates, PolygonCoordinates::toBson));
    }
}

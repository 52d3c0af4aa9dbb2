package dev.semel.driver.model.geojson;

import java.util.List;
import org.bson.BsonDocument;

/** Several lines. */
public record MultiLineString(List<List<Position>> coordinates) implements Geometry {
    public MultiLineString {
        coordinates = List.copyOf(coordinates);
    }

    public List<List<Position>> getCoordinates() {
        return coordinates;
    }

    @Override
    public BsonDocument toBson() {
        return Geometry.of("MultiLineString", Geometry.array(coordinates, Geometry::line));
    }
}

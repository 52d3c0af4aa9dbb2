package dev.semel.driver.model.geojson;

import org.bson.BsonDocument;

/** One position. */
public record Point(Position position) implements Geometry {
    public Position getPosition() {
        return position;
    }

    public Position getCoordinates() {
        return position;
    }

    @Override
    public BsonDocument toBson() {
        return Geometry.of("Point", position.toBson());
    }
}

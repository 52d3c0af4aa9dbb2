package dev.semel.driver.model.geojson;

import java.util.List;
import org.bson.BsonDocument;

/** Several shapes. */
public record GeometryCollection(List<? extends Geometry> geometries) implements Geometry {
    public GeometryCollection {
        geometries = List.copyOf(geometries);
    }

    public List<? extends Geometry> getGeometries() {
        return geometries;
    }

    @Override
    public BsonDocument toBson() {
        return Geometry.ofShapes("GeometryCollection", geometries);
    }
}

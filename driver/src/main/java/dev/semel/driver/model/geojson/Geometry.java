package dev.semel.driver.model.geojson;

import java.util.List;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** A GeoJSON geometry. It is a document, and can be used wherever a document can. */
public sealed interface Geometry extends Bson
        permits Point, LineString, Polygon, MultiPoint, MultiLineString, MultiPolygon, GeometryCollection {
    BsonDocument toBson();

    default String toJson() {
        return toBson().toJson();
    }

    @Override
    default <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return toBson();
    }

    private static BsonDocument of(String type, String field, BsonArray parts) {
        return new BsonDocument("type", new BsonString(type)).append(field, parts);
    }

    /** The document of a shape that is made of coordinates. */
    static BsonDocument of(String type, BsonArray coordinates) {
        return of(type, "coordinates", coordinates);
    }

    /** The document of a shape that is made of shapes. */
    static BsonDocument ofShapes(String type, List<? extends Geometry> shapes) {
        return of(type, "geometries", array(shapes, Geometry::toBson));
    }

    /** Each of them in its form of coordinates. */
    static <E> BsonArray array(List<E> values, Function<? super E, ? extends BsonValue> form) {
        var array = new BsonArray();
        values.forEach(each -> array.add(form.apply(each)));
        return array;
    }

    static BsonArray line(List<Position> positions) {
        return array(positions, Position::toBson);
    }
}

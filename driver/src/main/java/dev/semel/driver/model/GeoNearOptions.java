package dev.semel.driver.model;

import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** Options of {@code $geoNear}. Immutable: each method returns new options. */
public final class GeoNearOptions implements Bson {
    private final Document fields;

    private GeoNearOptions(Document fields) {
        this.fields = fields;
    }

    public static GeoNearOptions geoNearOptions() {
        return new GeoNearOptions(new Document());
    }

    public GeoNearOptions distanceMultiplier(Number value) {
        return with("distanceMultiplier", value);
    }

    /** The field that gets the location of the document that was near. */
    public GeoNearOptions includeLocs(String value) {
        return with("includeLocs", value);
    }

    /** The indexed field, if there are several. */
    public GeoNearOptions key(String value) {
        return with("key", value);
    }

    public GeoNearOptions minDistance(Number value) {
        return with("minDistance", value);
    }

    public GeoNearOptions maxDistance(Number value) {
        return with("maxDistance", value);
    }

    public GeoNearOptions query(Bson value) {
        return with("query", value);
    }

    public GeoNearOptions spherical() {
        return with("spherical", true);
    }

    private GeoNearOptions with(String name, Object value) {
        return new GeoNearOptions(new Document(fields).append(name, value));
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return fields.toBsonDocument(documentClass, codecs);
    }
}

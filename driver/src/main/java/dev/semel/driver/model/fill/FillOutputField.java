package dev.semel.driver.model.fill;

import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** A field to fill where it is missing or null, and with what. */
public final class FillOutputField implements Bson {
    private final Bson bson;

    private FillOutputField(Bson bson) {
        this.bson = bson;
    }

    public static FillOutputField value(String field, Object expression) {
        return of(new Document(field, new Document("value", expression)));
    }

    /** The last value before it. */
    public static FillOutputField locf(String field) {
        return method(field, "locf");
    }

    /** On a line between the values before and behind it. */
    public static FillOutputField linear(String field) {
        return method(field, "linear");
    }

    private static FillOutputField method(String field, String name) {
        return of(new Document(field, new Document("method", name)));
    }

    public static FillOutputField of(Bson field) {
        return new FillOutputField(field);
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return bson.toBsonDocument(documentClass, codecs);
    }
}

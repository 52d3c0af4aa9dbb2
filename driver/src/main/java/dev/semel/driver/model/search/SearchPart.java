package dev.semel.driver.model.search;

import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** A document that grows by options; each method of those that extend it returns another one. */
abstract class SearchPart implements Bson {
    private final Document fields;

    SearchPart(Document fields) {
        this.fields = fields;
    }

    /** The same with another option. */
    final Document and(String name, Object value) {
        return new Document(fields).append(name, value);
    }

    @Override
    public final <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return document().toBsonDocument(documentClass, codecs);
    }

    /** The form in which it is sent. */
    Document document() {
        return fields;
    }
}

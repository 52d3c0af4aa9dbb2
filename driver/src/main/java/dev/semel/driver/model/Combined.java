package dev.semel.driver.model;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** Several documents combined into one. */
record Combined(List<? extends Bson> parts, Repeated repeated) implements Bson {
    /** What happens to a field that occurs in several of them. */
    enum Repeated {
        /** The last value, at the position of the first one. */
        IN_FIRST_PLACE,
        /** The last value, at its own position. */
        IN_LAST_PLACE,
        /** The values are merged into one document, as for the operators of an update. */
        MERGED
    }

    Combined {
        parts = List.copyOf(parts);
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        var all = new BsonDocument();
        parts.forEach(
                part -> part.toBsonDocument(documentClass, codecs).forEach((name, value) -> add(all, name, value)));
        return all;
    }

    private void add(BsonDocument all, String name, BsonValue value) {
        if (repeated == Repeated.MERGED && value instanceof BsonDocument more && all.isDocument(name)) {
            all.getDocument(name).putAll(more);
            return;
        }
        if (repeated == Repeated.IN_LAST_PLACE) {
            all.remove(name);
        }
        all.put(name, value);
    }
}

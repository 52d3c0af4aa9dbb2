package dev.semel.driver.model;

import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** Whether change streams can tell what documents were before and after. */
public record ChangeStreamPreAndPostImagesOptions(boolean enabled) implements Bson {
    public boolean isEnabled() {
        return enabled;
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return new BsonDocument("enabled", BsonBoolean.valueOf(enabled));
    }
}

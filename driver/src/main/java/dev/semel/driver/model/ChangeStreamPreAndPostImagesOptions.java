package dev.semel.driver.model;

import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** Whether change streams can show documents as they were before and after a change. */
public record ChangeStreamPreAndPostImagesOptions(boolean enabled) implements Bson {
    public boolean isEnabled() {
        return enabled;
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return new BsonDocument("enabled", BsonBoolean.valueOf(enabled));
    }
}

package dev.semel.driver.model;

import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Default options of a collection's indexes. */
public final class IndexOptionDefaults implements Bson {
    private @Nullable Bson storageEngine;

    public @Nullable Bson getStorageEngine() {
        return storageEngine;
    }

    public IndexOptionDefaults storageEngine(@Nullable Bson value) {
        storageEngine = value;
        return this;
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return Parts.empty().withIfSet("storageEngine", storageEngine).toBsonDocument(documentClass, codecs);
    }
}

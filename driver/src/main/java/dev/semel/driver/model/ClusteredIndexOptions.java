package dev.semel.driver.model;

import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** The clustered index of a collection: the key by which its documents are stored. */
public final class ClusteredIndexOptions implements Bson {
    private final Bson key;
    private final boolean unique;
    private @Nullable String name;

    public ClusteredIndexOptions(Bson key, boolean unique) {
        this.key = key;
        this.unique = unique;
    }

    public Bson getKey() {
        return key;
    }

    public boolean isUnique() {
        return unique;
    }

    public @Nullable String getName() {
        return name;
    }

    public ClusteredIndexOptions name(@Nullable String value) {
        name = value;
        return this;
    }

    @Override
    public <T> BsonDocument toBsonDocument(Class<T> documentClass, CodecRegistry codecs) {
        return Parts.of("key", key)
                .with("unique", unique)
                .withIfSet("name", name)
                .toBsonDocument(documentClass, codecs);
    }
}

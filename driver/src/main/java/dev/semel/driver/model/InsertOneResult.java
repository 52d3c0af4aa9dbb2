package dev.semel.driver.model;

import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** What an insert did; the id is null where the codec knows none. */
public record InsertOneResult(
        boolean wasAcknowledged, @Nullable BsonValue insertedId) {
    public @Nullable BsonValue getInsertedId() {
        return insertedId;
    }
}

package dev.semel.driver.model;

import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The result of an insert; the id is null if the codec does not provide it. */
public record InsertOneResult(
        boolean wasAcknowledged, @Nullable BsonValue insertedId) {
    public @Nullable BsonValue getInsertedId() {
        return insertedId;
    }
}

package dev.semel.driver.model;

import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The result of an update. */
public record UpdateResult(
        boolean wasAcknowledged,
        long matchedCount,
        long modifiedCount,
        @Nullable BsonValue upsertedId) {
    public long getMatchedCount() {
        return matchedCount;
    }

    public long getModifiedCount() {
        return modifiedCount;
    }

    public @Nullable BsonValue getUpsertedId() {
        return upsertedId;
    }
}

package dev.semel.driver;

import java.time.Duration;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** How a cursor fetches. */
record Fetch(
        int batchSize,
        long limit,
        boolean isTailable,
        @Nullable Duration maxAwaitTime,
        @Nullable BsonValue comment) {
    static final Fetch DEFAULT = new Fetch(0, 0, false, null, null);

    static Fetch batches(int batchSize, @Nullable BsonValue comment) {
        return new Fetch(batchSize, 0, false, null, comment);
    }
}

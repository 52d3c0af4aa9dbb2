package dev.semel.driver.model;

import java.time.Duration;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** How to drop indexes. */
public final class DropIndexOptions {
    private @Nullable Duration maxTime;
    private @Nullable BsonValue comment;

    public @Nullable Duration getMaxTime() {
        return maxTime;
    }

    public DropIndexOptions maxTime(@Nullable Duration value) {
        maxTime = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public DropIndexOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }
}

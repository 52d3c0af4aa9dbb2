package dev.semel.driver.model;

import java.time.Duration;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** How to estimate. */
public final class EstimatedDocumentCountOptions {
    private @Nullable Duration maxTime;
    private @Nullable BsonValue comment;

    public @Nullable Duration getMaxTime() {
        return maxTime;
    }

    public EstimatedDocumentCountOptions maxTime(@Nullable Duration value) {
        maxTime = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public EstimatedDocumentCountOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }
}

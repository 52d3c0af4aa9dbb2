package dev.semel.driver.model;

import java.time.Duration;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** How to create indexes. */
public final class CreateIndexOptions {
    private @Nullable Duration maxTime;
    private @Nullable String commitQuorum;
    private @Nullable BsonValue comment;

    public @Nullable Duration getMaxTime() {
        return maxTime;
    }

    public CreateIndexOptions maxTime(@Nullable Duration value) {
        maxTime = value;
        return this;
    }

    public @Nullable String getCommitQuorum() {
        return commitQuorum;
    }

    public CreateIndexOptions commitQuorum(@Nullable String value) {
        commitQuorum = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public CreateIndexOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }
}

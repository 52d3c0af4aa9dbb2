package dev.semel.driver.model;

import java.time.Duration;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** How to count. */
public final class CountOptions {
    private @Nullable Bson hint;
    private @Nullable String hintString;
    private int limit = 0;
    private int skip = 0;
    private @Nullable Duration maxTime;
    private @Nullable Bson collation;
    private @Nullable BsonValue comment;

    public @Nullable Bson getHint() {
        return hint;
    }

    public CountOptions hint(@Nullable Bson value) {
        hint = value;
        return this;
    }

    public @Nullable String getHintString() {
        return hintString;
    }

    public CountOptions hintString(@Nullable String value) {
        hintString = value;
        return this;
    }

    public int getLimit() {
        return limit;
    }

    public CountOptions limit(int value) {
        limit = value;
        return this;
    }

    public int getSkip() {
        return skip;
    }

    public CountOptions skip(int value) {
        skip = value;
        return this;
    }

    public @Nullable Duration getMaxTime() {
        return maxTime;
    }

    public CountOptions maxTime(@Nullable Duration value) {
        maxTime = value;
        return this;
    }

    public @Nullable Bson getCollation() {
        return collation;
    }

    public CountOptions collation(@Nullable Bson value) {
        collation = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public CountOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }
}

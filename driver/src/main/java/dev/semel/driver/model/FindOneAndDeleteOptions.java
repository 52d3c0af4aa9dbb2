package dev.semel.driver.model;

import java.time.Duration;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** How to delete a document and have it returned. */
public final class FindOneAndDeleteOptions {
    private @Nullable Bson projection;
    private @Nullable Bson sort;
    private @Nullable Duration maxTime;
    private @Nullable Bson collation;
    private @Nullable Bson hint;
    private @Nullable String hintString;
    private @Nullable BsonValue comment;
    private @Nullable Bson let;

    public @Nullable Bson getProjection() {
        return projection;
    }

    public FindOneAndDeleteOptions projection(@Nullable Bson value) {
        projection = value;
        return this;
    }

    public @Nullable Bson getSort() {
        return sort;
    }

    public FindOneAndDeleteOptions sort(@Nullable Bson value) {
        sort = value;
        return this;
    }

    public @Nullable Duration getMaxTime() {
        return maxTime;
    }

    public FindOneAndDeleteOptions maxTime(@Nullable Duration value) {
        maxTime = value;
        return this;
    }

    public @Nullable Bson getCollation() {
        return collation;
    }

    public FindOneAndDeleteOptions collation(@Nullable Bson value) {
        collation = value;
        return this;
    }

    public @Nullable Bson getHint() {
        return hint;
    }

    public FindOneAndDeleteOptions hint(@Nullable Bson value) {
        hint = value;
        return this;
    }

    public @Nullable String getHintString() {
        return hintString;
    }

    public FindOneAndDeleteOptions hintString(@Nullable String value) {
        hintString = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public FindOneAndDeleteOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }

    public @Nullable Bson getLet() {
        return let;
    }

    public FindOneAndDeleteOptions let(@Nullable Bson value) {
        let = value;
        return this;
    }
}

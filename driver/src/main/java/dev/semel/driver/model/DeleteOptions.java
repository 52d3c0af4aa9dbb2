package dev.semel.driver.model;

import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** How to delete. */
public final class DeleteOptions {
    private @Nullable Bson collation;
    private @Nullable Bson hint;
    private @Nullable String hintString;
    private @Nullable BsonValue comment;
    private @Nullable Bson let;

    public @Nullable Bson getCollation() {
        return collation;
    }

    public DeleteOptions collation(@Nullable Bson value) {
        collation = value;
        return this;
    }

    public @Nullable Bson getHint() {
        return hint;
    }

    public DeleteOptions hint(@Nullable Bson value) {
        hint = value;
        return this;
    }

    public @Nullable String getHintString() {
        return hintString;
    }

    public DeleteOptions hintString(@Nullable String value) {
        hintString = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public DeleteOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }

    public @Nullable Bson getLet() {
        return let;
    }

    public DeleteOptions let(@Nullable Bson value) {
        let = value;
        return this;
    }
}

package dev.semel.driver.model;

import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** How to replace a document. */
public final class ReplaceOptions {
    private boolean upsert = false;
    private @Nullable Boolean bypassDocumentValidation;
    private @Nullable Bson collation;
    private @Nullable Bson hint;
    private @Nullable String hintString;
    private @Nullable BsonValue comment;
    private @Nullable Bson let;
    private @Nullable Bson sort;

    public boolean isUpsert() {
        return upsert;
    }

    public ReplaceOptions upsert(boolean value) {
        upsert = value;
        return this;
    }

    public @Nullable Boolean getBypassDocumentValidation() {
        return bypassDocumentValidation;
    }

    public ReplaceOptions bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return this;
    }

    public @Nullable Bson getCollation() {
        return collation;
    }

    public ReplaceOptions collation(@Nullable Bson value) {
        collation = value;
        return this;
    }

    public @Nullable Bson getHint() {
        return hint;
    }

    public ReplaceOptions hint(@Nullable Bson value) {
        hint = value;
        return this;
    }

    public @Nullable String getHintString() {
        return hintString;
    }

    public ReplaceOptions hintString(@Nullable String value) {
        hintString = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public ReplaceOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }

    public @Nullable Bson getLet() {
        return let;
    }

    public ReplaceOptions let(@Nullable Bson value) {
        let = value;
        return this;
    }

    public @Nullable Bson getSort() {
        return sort;
    }

    public ReplaceOptions sort(@Nullable Bson value) {
        sort = value;
        return this;
    }
}

package dev.semel.driver.model;

import java.time.Duration;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** How to replace a document and have it returned. */
public final class FindOneAndReplaceOptions {
    private @Nullable Bson projection;
    private @Nullable Bson sort;
    private boolean upsert = false;
    private ReturnDocument returnDocument = ReturnDocument.BEFORE;
    private @Nullable Duration maxTime;
    private @Nullable Boolean bypassDocumentValidation;
    private @Nullable Bson collation;
    private @Nullable Bson hint;
    private @Nullable String hintString;
    private @Nullable BsonValue comment;
    private @Nullable Bson let;

    public @Nullable Bson getProjection() {
        return projection;
    }

    public FindOneAndReplaceOptions projection(@Nullable Bson value) {
        projection = value;
        return this;
    }

    public @Nullable Bson getSort() {
        return sort;
    }

    public FindOneAndReplaceOptions sort(@Nullable Bson value) {
        sort = value;
        return this;
    }

    public boolean isUpsert() {
        return upsert;
    }

    public FindOneAndReplaceOptions upsert(boolean value) {
        upsert = value;
        return this;
    }

    public ReturnDocument getReturnDocument() {
        return returnDocument;
    }

    public FindOneAndReplaceOptions returnDocument(ReturnDocument value) {
        returnDocument = value;
        return this;
    }

    public @Nullable Duration getMaxTime() {
        return maxTime;
    }

    public FindOneAndReplaceOptions maxTime(@Nullable Duration value) {
        maxTime = value;
        return this;
    }

    public @Nullable Boolean getBypassDocumentValidation() {
        return bypassDocumentValidation;
    }

    public FindOneAndReplaceOptions bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return this;
    }

    public @Nullable Bson getCollation() {
        return collation;
    }

    public FindOneAndReplaceOptions collation(@Nullable Bson value) {
        collation = value;
        return this;
    }

    public @Nullable Bson getHint() {
        return hint;
    }

    public FindOneAndReplaceOptions hint(@Nullable Bson value) {
        hint = value;
        return this;
    }

    public @Nullable String getHintString() {
        return hintString;
    }

    public FindOneAndReplaceOptions hintString(@Nullable String value) {
        hintString = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public FindOneAndReplaceOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }

    public @Nullable Bson getLet() {
        return let;
    }

    public FindOneAndReplaceOptions let(@Nullable Bson value) {
        let = value;
        return this;
    }
}

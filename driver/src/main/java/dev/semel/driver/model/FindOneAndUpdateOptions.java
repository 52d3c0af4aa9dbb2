package dev.semel.driver.model;

import java.time.Duration;
import java.util.List;
import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** How to update a document and have it returned. */
public final class FindOneAndUpdateOptions {
    private @Nullable Bson projection;
    private @Nullable Bson sort;
    private boolean upsert = false;
    private ReturnDocument returnDocument = ReturnDocument.BEFORE;
    private @Nullable Duration maxTime;
    private @Nullable Boolean bypassDocumentValidation;
    private @Nullable Bson collation;
    private @Nullable List<? extends Bson> arrayFilters;
    private @Nullable Bson hint;
    private @Nullable String hintString;
    private @Nullable BsonValue comment;
    private @Nullable Bson let;

    public @Nullable Bson getProjection() {
        return projection;
    }

    public FindOneAndUpdateOptions projection(@Nullable Bson value) {
        projection = value;
        return this;
    }

    public @Nullable Bson getSort() {
        return sort;
    }

    public FindOneAndUpdateOptions sort(@Nullable Bson value) {
        sort = value;
        return this;
    }

    public boolean isUpsert() {
        return upsert;
    }

    public FindOneAndUpdateOptions upsert(boolean value) {
        upsert = value;
        return this;
    }

    public ReturnDocument getReturnDocument() {
        return returnDocument;
    }

    public FindOneAndUpdateOptions returnDocument(ReturnDocument value) {
        returnDocument = value;
        return this;
    }

    public @Nullable Duration getMaxTime() {
        return maxTime;
    }

    public FindOneAndUpdateOptions maxTime(@Nullable Duration value) {
        maxTime = value;
        return this;
    }

    public @Nullable Boolean getBypassDocumentValidation() {
        return bypassDocumentValidation;
    }

    public FindOneAndUpdateOptions bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return this;
    }

    public @Nullable Bson getCollation() {
        return collation;
    }

    public FindOneAndUpdateOptions collation(@Nullable Bson value) {
        collation = value;
        return this;
    }

    public @Nullable List<? extends Bson> getArrayFilters() {
        return arrayFilters;
    }

    public FindOneAndUpdateOptions arrayFilters(@Nullable List<? extends Bson> value) {
        arrayFilters = value;
        return this;
    }

    public @Nullable Bson getHint() {
        return hint;
    }

    public FindOneAndUpdateOptions hint(@Nullable Bson value) {
        hint = value;
        return this;
    }

    public @Nullable String getHintString() {
        return hintString;
    }

    public FindOneAndUpdateOptions hintString(@Nullable String value) {
        hintString = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public FindOneAndUpdateOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }

    public @Nullable Bson getLet() {
        return let;
    }

    public FindOneAndUpdateOptions let(@Nullable Bson value) {
        let = value;
        return this;
    }
}

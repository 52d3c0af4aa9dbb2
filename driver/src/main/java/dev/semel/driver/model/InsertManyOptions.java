package dev.semel.driver.model;

import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** How to insert documents. */
public final class InsertManyOptions {
    private boolean ordered = true;
    private @Nullable Boolean bypassDocumentValidation;
    private @Nullable BsonValue comment;

    public boolean isOrdered() {
        return ordered;
    }

    public InsertManyOptions ordered(boolean value) {
        ordered = value;
        return this;
    }

    public @Nullable Boolean getBypassDocumentValidation() {
        return bypassDocumentValidation;
    }

    public InsertManyOptions bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public InsertManyOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }
}

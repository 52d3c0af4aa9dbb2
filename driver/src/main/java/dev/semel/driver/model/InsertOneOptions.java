package dev.semel.driver.model;

import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** How to insert one document. */
public final class InsertOneOptions {
    private @Nullable Boolean bypassDocumentValidation;
    private @Nullable BsonValue comment;

    public @Nullable Boolean getBypassDocumentValidation() {
        return bypassDocumentValidation;
    }

    public InsertOneOptions bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public InsertOneOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }
}

package dev.semel.driver.model;

import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** How to write in bulk. */
public final class BulkWriteOptions {
    private boolean ordered = true;
    private @Nullable Boolean bypassDocumentValidation;
    private @Nullable BsonValue comment;
    private @Nullable Bson let;

    public boolean isOrdered() {
        return ordered;
    }

    public BulkWriteOptions ordered(boolean value) {
        ordered = value;
        return this;
    }

    public @Nullable Boolean getBypassDocumentValidation() {
        return bypassDocumentValidation;
    }

    public BulkWriteOptions bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public BulkWriteOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }

    public @Nullable Bson getLet() {
        return let;
    }

    public BulkWriteOptions let(@Nullable Bson value) {
        let = value;
        return this;
    }
}

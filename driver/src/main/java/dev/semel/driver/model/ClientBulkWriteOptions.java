package dev.semel.driver.model;

import org.bson.BsonValue;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** How to write in bulk to several collections. */
public final class ClientBulkWriteOptions {
    private boolean ordered = true;
    private @Nullable Boolean bypassDocumentValidation;
    private @Nullable Bson let;
    private @Nullable BsonValue comment;
    private boolean verboseResults = false;

    public boolean isOrdered() {
        return ordered;
    }

    public ClientBulkWriteOptions ordered(boolean value) {
        ordered = value;
        return this;
    }

    public @Nullable Boolean getBypassDocumentValidation() {
        return bypassDocumentValidation;
    }

    public ClientBulkWriteOptions bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return this;
    }

    public @Nullable Bson getLet() {
        return let;
    }

    public ClientBulkWriteOptions let(@Nullable Bson value) {
        let = value;
        return this;
    }

    public @Nullable BsonValue getComment() {
        return comment;
    }

    public ClientBulkWriteOptions comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }

    public boolean isVerboseResults() {
        return verboseResults;
    }

    public ClientBulkWriteOptions verboseResults(boolean value) {
        verboseResults = value;
        return this;
    }
}

package dev.semel.driver.model;

import org.jspecify.annotations.Nullable;

/** Options of operations that change one document and return it, as it was before or after. */
public abstract sealed class FindOneAndChangeOptions<S extends FindOneAndChangeOptions<S>> extends FindOneAndOptions<S>
        permits FindOneAndUpdateOptions, FindOneAndReplaceOptions {
    private boolean upsert;
    private @Nullable Boolean bypassDocumentValidation;
    private ReturnDocument returnDocument = ReturnDocument.BEFORE;

    /** Whether to insert a document if none matches. */
    public boolean isUpsert() {
        return upsert;
    }

    public S upsert(boolean value) {
        upsert = value;
        return self();
    }

    /** Whether to bypass document validation; null: no. */
    public @Nullable Boolean getBypassDocumentValidation() {
        return bypassDocumentValidation;
    }

    public S bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return self();
    }

    /** {@link ReturnDocument#BEFORE} unless set. */
    public ReturnDocument getReturnDocument() {
        return returnDocument;
    }

    public S returnDocument(ReturnDocument value) {
        returnDocument = value;
        return self();
    }
}

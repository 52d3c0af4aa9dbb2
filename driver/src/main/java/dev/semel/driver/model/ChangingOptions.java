package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of updates and replacements. */
public abstract sealed class ChangingOptions<S extends ChangingOptions<S>> extends SelectingOptions<S>
        implements OnceOptions<S> permits UpdateOptions, ReplaceOptions {
    private boolean upsert;
    private @Nullable Boolean bypassDocumentValidation;
    private @Nullable Bson sort;

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

    /** The sort order; the first of several matching documents is used. */
    public @Nullable Bson getSort() {
        return sort;
    }

    public S sort(@Nullable Bson value) {
        sort = value;
        return self();
    }
}

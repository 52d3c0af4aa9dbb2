package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** For updates and replacements. */
public abstract sealed class ChangingOptions<S extends ChangingOptions<S>> extends SelectingOptions<S>
        implements OnceOptions<S> permits UpdateOptions, ReplaceOptions {
    private boolean upsert;
    private @Nullable Boolean bypassDocumentValidation;
    private @Nullable Bson sort;

    /** Whether a document is inserted where none matches. */
    public boolean isUpsert() {
        return upsert;
    }

    public S upsert(boolean value) {
        upsert = value;
        return self();
    }

    /** Whether documents that the collection's validator refuses are written all the same; null: no. */
    public @Nullable Boolean getBypassDocumentValidation() {
        return bypassDocumentValidation;
    }

    public S bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return self();
    }

    /** Which of several matching documents is meant: the first in this order. */
    public @Nullable Bson getSort() {
        return sort;
    }

    public S sort(@Nullable Bson value) {
        sort = value;
        return self();
    }
}

package dev.semel.driver.model;

import org.jspecify.annotations.Nullable;

/** Options of operations that insert documents. */
public abstract sealed class BypassingOptions<S extends BypassingOptions<S>> extends CommentedOptions<S>
        implements OnceOptions<S> permits InsertOneOptions, InsertManyOptions, BatchOptions {
    private @Nullable Boolean bypassDocumentValidation;

    /** Whether to bypass document validation; null: no. */
    public @Nullable Boolean getBypassDocumentValidation() {
        return bypassDocumentValidation;
    }

    public S bypassDocumentValidation(@Nullable Boolean value) {
        bypassDocumentValidation = value;
        return self();
    }
}

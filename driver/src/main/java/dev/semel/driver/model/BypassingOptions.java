package dev.semel.driver.model;

import org.jspecify.annotations.Nullable;

/** For operations that insert. */
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

package dev.semel.driver.model;

import org.jspecify.annotations.Nullable;

/** Options of {@code $unwind}. */
public final class UnwindOptions {
    private @Nullable Boolean preserveNullAndEmptyArrays;
    private @Nullable String includeArrayIndex;

    /** Whether to keep documents without elements; null: no. */
    public @Nullable Boolean isPreserveNullAndEmptyArrays() {
        return preserveNullAndEmptyArrays;
    }

    public UnwindOptions preserveNullAndEmptyArrays(@Nullable Boolean value) {
        preserveNullAndEmptyArrays = value;
        return this;
    }

    /** The field that gets the element's index. */
    public @Nullable String getIncludeArrayIndex() {
        return includeArrayIndex;
    }

    public UnwindOptions includeArrayIndex(@Nullable String value) {
        includeArrayIndex = value;
        return this;
    }
}

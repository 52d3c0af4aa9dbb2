package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of operations with a filter. */
public abstract sealed class SelectingOptions<S extends SelectingOptions<S>> extends CommentedOptions<S>
        permits ChangingOptions, FindOneAndOptions, DeleteOptions, CountOptions {
    private @Nullable Bson collation;
    private @Nullable Bson hint;
    private @Nullable String hintString;
    private @Nullable Bson let;

    /** The collation; null: that of the collection. */
    public @Nullable Bson getCollation() {
        return collation;
    }

    public S collation(@Nullable Bson value) {
        collation = value;
        return self();
    }

    /** The index to use, by its keys; takes precedence over {@link #hintString}. */
    public @Nullable Bson getHint() {
        return hint;
    }

    public S hint(@Nullable Bson value) {
        hint = value;
        return self();
    }

    /** The index to use, by its name. */
    public @Nullable String getHintString() {
        return hintString;
    }

    public S hintString(@Nullable String value) {
        hintString = value;
        return self();
    }

    /** Variables that the statement can use as {@code $$name}. */
    public @Nullable Bson getLet() {
        return let;
    }

    public S let(@Nullable Bson value) {
        let = value;
        return self();
    }
}

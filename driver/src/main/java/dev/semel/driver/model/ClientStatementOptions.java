package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of one statement of a client's {@code bulkWrite}; {@link ClientBulkWriteOptions} apply to all of them. */
public abstract sealed class ClientStatementOptions<S extends ClientStatementOptions<S>>
        permits ClientChangeOptions, ClientDeleteOneOptions, ClientDeleteManyOptions {
    private @Nullable Bson collation;
    private @Nullable Bson hint;
    private @Nullable String hintString;

    abstract S self();

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
}

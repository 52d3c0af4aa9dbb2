package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of writes of several statements. */
public abstract sealed class BatchOptions<S extends BatchOptions<S>> extends BypassingOptions<S>
        permits BulkWriteOptions, ClientBulkWriteOptions {
    private boolean ordered = true;
    private @Nullable Bson let;

    /** Whether to stop at the first error. True by default. */
    public boolean isOrdered() {
        return ordered;
    }

    public S ordered(boolean value) {
        ordered = value;
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

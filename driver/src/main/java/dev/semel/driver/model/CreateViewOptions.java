package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of a new view. */
public final class CreateViewOptions {
    private @Nullable Bson collation;

    public @Nullable Bson getCollation() {
        return collation;
    }

    /** The view's collation; null: strings are compared byte by byte. */
    public CreateViewOptions collation(@Nullable Bson value) {
        collation = value;
        return this;
    }
}

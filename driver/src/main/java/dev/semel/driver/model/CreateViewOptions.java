package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** What a view is like. */
public final class CreateViewOptions {
    private @Nullable Bson collation;

    public @Nullable Bson getCollation() {
        return collation;
    }

    /** By which language's rules the view compares strings; null: byte by byte. */
    public CreateViewOptions collation(@Nullable Bson value) {
        collation = value;
        return this;
    }
}

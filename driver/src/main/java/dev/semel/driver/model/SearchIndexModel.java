package dev.semel.driver.model;

import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A search index to be created.
 *
 * @param name null: {@code default}
 * @param type {@code search} or {@code vectorSearch}; null: the server's default
 */
public record SearchIndexModel(
        @Nullable String name, Bson definition, @Nullable String type) {
    public SearchIndexModel(Bson definition) {
        this(null, definition, null);
    }

    public SearchIndexModel(String name, Bson definition) {
        this(name, definition, null);
    }
}

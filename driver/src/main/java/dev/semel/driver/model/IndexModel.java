package dev.semel.driver.model;

import org.bson.conversions.Bson;

/** An index to create. */
public record IndexModel(Bson keys, IndexOptions options) {
    public IndexModel(Bson keys) {
        this(keys, new IndexOptions());
    }
}

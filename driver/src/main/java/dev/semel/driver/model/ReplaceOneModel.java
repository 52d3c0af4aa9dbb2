package dev.semel.driver.model;

import org.bson.conversions.Bson;

/** Replaces one of the documents that match. */
public record ReplaceOneModel<T>(Bson filter, T replacement, ReplaceOptions options) implements WriteModel<T> {
    public ReplaceOneModel(Bson filter, T replacement) {
        this(filter, replacement, new ReplaceOptions());
    }

    public Bson getFilter() {
        return filter;
    }

    public T getReplacement() {
        return replacement;
    }

    public ReplaceOptions getReplaceOptions() {
        return options;
    }
}

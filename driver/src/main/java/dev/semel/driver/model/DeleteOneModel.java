package dev.semel.driver.model;

import org.bson.conversions.Bson;

/** Deletes one of the documents that match. */
public record DeleteOneModel<T>(Bson filter, DeleteOptions options) implements WriteModel<T> {
    public DeleteOneModel(Bson filter) {
        this(filter, new DeleteOptions());
    }

    public Bson getFilter() {
        return filter;
    }

    public DeleteOptions getOptions() {
        return options;
    }
}

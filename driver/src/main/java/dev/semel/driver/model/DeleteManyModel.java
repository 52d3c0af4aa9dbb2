package dev.semel.driver.model;

import org.bson.conversions.Bson;

/** Deletes all documents that match. */
public record DeleteManyModel<T>(Bson filter, DeleteOptions options) implements WriteModel<T> {
    public DeleteManyModel(Bson filter) {
        this(filter, new DeleteOptions());
    }

    public Bson getFilter() {
        return filter;
    }

    public DeleteOptions getOptions() {
        return options;
    }
}

package dev.semel.driver.model;

/** Inserts a document. */
public record InsertOneModel<T>(T document) implements WriteModel<T> {
    public T getDocument() {
        return document;
    }
}

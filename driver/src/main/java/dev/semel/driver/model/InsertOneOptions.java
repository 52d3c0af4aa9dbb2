package dev.semel.driver.model;

/** How to insert one document. */
public final class InsertOneOptions extends BypassingOptions<InsertOneOptions> {

    @Override
    InsertOneOptions self() {
        return this;
    }
}

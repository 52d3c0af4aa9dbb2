package dev.semel.driver.model;

/** Options of {@code insertOne}. */
public final class InsertOneOptions extends BypassingOptions<InsertOneOptions> {

    @Override
    InsertOneOptions self() {
        return this;
    }
}

package dev.semel.driver.model;

/** Options of {@code insertMany}. */
public final class InsertManyOptions extends BypassingOptions<InsertManyOptions> {
    private boolean ordered = true;

    /** Whether to stop at the first error. True by default. */
    public boolean isOrdered() {
        return ordered;
    }

    public InsertManyOptions ordered(boolean value) {
        ordered = value;
        return this;
    }

    @Override
    InsertManyOptions self() {
        return this;
    }
}

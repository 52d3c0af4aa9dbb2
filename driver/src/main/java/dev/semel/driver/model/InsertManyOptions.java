package dev.semel.driver.model;

/** How to insert documents. */
public final class InsertManyOptions extends BypassingOptions<InsertManyOptions> {
    private boolean ordered = true;

    /** Whether what follows a failed statement is left out. True unless set. */
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

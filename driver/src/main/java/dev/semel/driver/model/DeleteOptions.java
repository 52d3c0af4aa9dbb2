package dev.semel.driver.model;

/** How to delete. */
public final class DeleteOptions extends SelectingOptions<DeleteOptions> {

    @Override
    DeleteOptions self() {
        return this;
    }
}

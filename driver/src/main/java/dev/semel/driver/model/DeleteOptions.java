package dev.semel.driver.model;

/** How to delete. */
public final class DeleteOptions extends SelectingOptions<DeleteOptions> implements OnceOptions<DeleteOptions> {

    @Override
    DeleteOptions self() {
        return this;
    }
}

package dev.semel.driver.model;

/** Options of {@code deleteOne} and {@code deleteMany}. */
public final class DeleteOptions extends SelectingOptions<DeleteOptions> implements OnceOptions<DeleteOptions> {

    @Override
    DeleteOptions self() {
        return this;
    }
}

package dev.semel.driver.model;

/** Options of {@code findOneAndDelete}. */
public final class FindOneAndDeleteOptions extends FindOneAndOptions<FindOneAndDeleteOptions> {

    @Override
    FindOneAndDeleteOptions self() {
        return this;
    }
}

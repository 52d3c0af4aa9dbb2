package dev.semel.driver.model;

/** Options of {@code findOneAndReplace}. */
public final class FindOneAndReplaceOptions extends FindOneAndChangeOptions<FindOneAndReplaceOptions> {

    @Override
    FindOneAndReplaceOptions self() {
        return this;
    }
}

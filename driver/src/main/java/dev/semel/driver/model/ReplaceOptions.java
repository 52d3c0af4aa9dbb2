package dev.semel.driver.model;

/** Options of {@code replaceOne}. */
public final class ReplaceOptions extends ChangingOptions<ReplaceOptions> {

    @Override
    ReplaceOptions self() {
        return this;
    }
}

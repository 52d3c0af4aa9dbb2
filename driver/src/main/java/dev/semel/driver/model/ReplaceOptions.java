package dev.semel.driver.model;

/** How to replace a document. */
public final class ReplaceOptions extends ChangingOptions<ReplaceOptions> {

    @Override
    ReplaceOptions self() {
        return this;
    }
}

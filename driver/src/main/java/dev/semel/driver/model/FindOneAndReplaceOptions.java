package dev.semel.driver.model;

/** How to replace a document and have it returned. */
public final class FindOneAndReplaceOptions extends FindOneAndChangeOptions<FindOneAndReplaceOptions> {

    @Override
    FindOneAndReplaceOptions self() {
        return this;
    }
}

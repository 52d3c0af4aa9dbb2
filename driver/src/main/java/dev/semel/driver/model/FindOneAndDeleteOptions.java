package dev.semel.driver.model;

/** How to delete a document and have it returned. */
public final class FindOneAndDeleteOptions extends FindOneAndOptions<FindOneAndDeleteOptions> {

    @Override
    FindOneAndDeleteOptions self() {
        return this;
    }
}

package dev.semel.driver.model;

/** How to write in bulk. */
public final class BulkWriteOptions extends BatchOptions<BulkWriteOptions> {

    @Override
    BulkWriteOptions self() {
        return this;
    }
}

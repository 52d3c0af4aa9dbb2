package dev.semel.driver.model;

/** Options of {@code bulkWrite}. */
public final class BulkWriteOptions extends BatchOptions<BulkWriteOptions> {

    @Override
    BulkWriteOptions self() {
        return this;
    }
}

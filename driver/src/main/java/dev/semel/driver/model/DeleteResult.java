package dev.semel.driver.model;

/** The result of a delete. */
public record DeleteResult(boolean wasAcknowledged, long deletedCount) {
    public long getDeletedCount() {
        return deletedCount;
    }
}

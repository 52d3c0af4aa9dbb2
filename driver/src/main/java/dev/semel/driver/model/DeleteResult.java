package dev.semel.driver.model;

/** What a delete did. */
public record DeleteResult(boolean wasAcknowledged, long deletedCount) {
    public long getDeletedCount() {
        return deletedCount;
    }
}

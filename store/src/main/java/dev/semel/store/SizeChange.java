package dev.semel.store;

/** By how many documents, and bytes of documents, a collection becomes larger. */
public record SizeChange(long documents, long bytes) {
    SizeChange plus(SizeChange more) {
        return new SizeChange(documents + more.documents, bytes + more.bytes);
    }
}

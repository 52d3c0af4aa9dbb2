package dev.semel.store;

import dev.semel.wire.Namespace;

/**
 * What state in memory must learn of a commit, and cannot cheaply derive from its rows. Each node learns it in the same
 * way, from the {@link CommitRecord} that it applies, the node that made the record included.
 */
public sealed interface Fact {
    /** The numbers of documents and bytes by which a collection has grown. */
    record SizeChanged(int collection, long documents, long bytes) implements Fact {}

    /** An index has met an array at a step of one of its paths. */
    record BecameMultikey(int index, int field, int step) implements Fact {}

    /** The catalog entry of a name has been replaced or removed; by how many bytes of the heap it has grown. */
    record CatalogChanged(Namespace namespace, long heapBytes) implements Fact {}

    /** All that was stored under the number of a collection or index has been removed. */
    record StorageRemoved(int number) implements Fact {}

    /** The meaning of a name has changed: cursors on it end. */
    record NamespaceGone(Namespace namespace, String why) implements Fact {}

    /** A session has used a transaction number, or is forgotten: the row says what is known of it. */
    record NumberUsed(int row) implements Fact {}

    /** By how many bytes the outcomes that are kept for tokens have grown. */
    record TokenBytesChanged(long bytes) implements Fact {}

    /** Everything up to this time is gone from the operation log. */
    record OplogTruncated(long clusterTime) implements Fact {}

    /** Documents or the entry of this namespace have changed: wakes those who follow it. */
    record Touched(Namespace namespace) implements Fact {}
}

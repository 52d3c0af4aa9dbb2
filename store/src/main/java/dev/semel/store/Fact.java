package dev.semel.store;

import dev.semel.wire.Namespace;

/**
 * What memory must learn of a commit and its rows do not say at no cost. Each node learns it in the same way, from the
 * {@link CommitRecord} that it applies, the node that made the record included.
 */
public sealed interface Fact {
    /** A collection has so many more documents, which take so many more bytes. */
    record SizeChanged(int collection, long documents, long bytes) implements Fact {}

    /** An index has met an array at a step of one of its paths. */
    record BecameMultikey(int index, int field, int step) implements Fact {}

    /** The catalog entry of a name is another one, or gone; it takes so many more bytes of the heap. */
    record CatalogChanged(Namespace namespace, long heapBytes) implements Fact {}

    /** What was stored under the number of a collection or index is gone. */
    record StorageRemoved(int number) implements Fact {}

    /** A name does not mean any more what it did: cursors on it end. */
    record NamespaceGone(Namespace namespace, String why) implements Fact {}

    /** A session has used a transaction number, or is forgotten: the row says what is known of it. */
    record NumberUsed(int row) implements Fact {}

    /** The outcomes that are kept under tokens take so many more bytes. */
    record TokenBytesChanged(long bytes) implements Fact {}

    /** Everything up to this time is gone from the operation log. */
    record OplogTruncated(long clusterTime) implements Fact {}

    /** Documents or the entry of this namespace have changed: wakes those who follow it. */
    record Touched(Namespace namespace) implements Fact {}
}

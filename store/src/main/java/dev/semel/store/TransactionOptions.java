package dev.semel.store;

import java.time.Duration;

/**
 * Limits of {@link Transactions}, each a server parameter of the same name.
 *
 * @param transactionBytesMax what one transaction may write before it ends
 * @param transactionBytesTotalMax what all live transactions together may have written
 * @param snapshotWindow how far back {@link Transactions#snapshotAt} reaches
 * @param snapshotsMax how many instants it keeps at most, and as many older ones that were asked for by name
 * @param lockBytesMax what locks may take in memory before those of owners with many locks are merged
 * @param conflictBytesMax the size of the list of keys that others have written since a transaction's snapshot
 * @param inMemoryBytesMax what data in the heap may take, with what old snapshots keep of it
 * @param snapshotBytesMax how much of that may be kept by old snapshots that are not being read
 */
public record TransactionOptions(
        long transactionBytesMax,
        long transactionBytesTotalMax,
        Duration snapshotWindow,
        int snapshotsMax,
        long lockBytesMax,
        long conflictBytesMax,
        long inMemoryBytesMax,
        long snapshotBytesMax) {

    public static TransactionOptions forHeap(long heapBytesMax) {
        return new TransactionOptions(
                heapBytesMax / 8,
                heapBytesMax / 3,
                Duration.ofSeconds(60),
                10_000,
                heapBytesMax / 16,
                heapBytesMax / 64,
                heapBytesMax / 2,
                heapBytesMax / 16);
    }

    public TransactionOptions withTransactionBytesMax(long bytes) {
        return new TransactionOptions(
                bytes,
                transactionBytesTotalMax,
                snapshotWindow,
                snapshotsMax,
                lockBytesMax,
                conflictBytesMax,
                inMemoryBytesMax,
                snapshotBytesMax);
    }

    public TransactionOptions withSnapshotsMax(int count) {
        return new TransactionOptions(
                transactionBytesMax,
                transactionBytesTotalMax,
                snapshotWindow,
                count,
                lockBytesMax,
                conflictBytesMax,
                inMemoryBytesMax,
                snapshotBytesMax);
    }

    public TransactionOptions withInMemoryBytesMax(long bytes) {
        return new TransactionOptions(
                transactionBytesMax,
                transactionBytesTotalMax,
                snapshotWindow,
                snapshotsMax,
                lockBytesMax,
                conflictBytesMax,
                bytes,
                snapshotBytesMax);
    }

    public TransactionOptions withSnapshotBytesMax(long bytes) {
        return new TransactionOptions(
                transactionBytesMax,
                transactionBytesTotalMax,
                snapshotWindow,
                snapshotsMax,
                lockBytesMax,
                conflictBytesMax,
                inMemoryBytesMax,
                bytes);
    }
}

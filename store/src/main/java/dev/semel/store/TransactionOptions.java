package dev.semel.store;

import java.time.Duration;

/**
 * Limits of {@link Transactions}, each a server parameter of the same name.
 *
 * @param transactionBytesMax what one transaction may write before it ends
 * @param transactionBytesTotalMax what all live transactions together may have written
 * @param snapshotWindow how far back {@link Transactions#snapshotAt} reaches
 * @param snapshotsMax how many instants it keeps at most, and as many older ones that were asked for by name
 * @param lockBytesMax what locks may take in memory before they are joined into coarser ones
 * @param conflictBytesMax what may be taken by keys that others have written since a transaction's snapshot
 */
public record TransactionOptions(
        long transactionBytesMax,
        long transactionBytesTotalMax,
        Duration snapshotWindow,
        int snapshotsMax,
        long lockBytesMax,
        long conflictBytesMax) {

    public static TransactionOptions forHeap(long heapBytesMax) {
        return new TransactionOptions(
                heapBytesMax / 8,
                heapBytesMax / 3,
                Duration.ofSeconds(60),
                10_000,
                heapBytesMax / 16,
                heapBytesMax / 64);
    }

    public TransactionOptions withTransactionBytesMax(long bytes) {
        return new TransactionOptions(
                bytes, transactionBytesTotalMax, snapshotWindow, snapshotsMax, lockBytesMax, conflictBytesMax);
    }

    public TransactionOptions withTransactionBytesTotalMax(long bytes) {
        return new TransactionOptions(
                transactionBytesMax, bytes, snapshotWindow, snapshotsMax, lockBytesMax, conflictBytesMax);
    }

    public TransactionOptions withSnapshotWindow(Duration window) {
        return new TransactionOptions(
                transactionBytesMax, transactionBytesTotalMax, window, snapshotsMax, lockBytesMax, conflictBytesMax);
    }

    public TransactionOptions withSnapshotsMax(int count) {
        return new TransactionOptions(
                transactionBytesMax, transactionBytesTotalMax, snapshotWindow, count, lockBytesMax, conflictBytesMax);
    }

    public TransactionOptions withLockBytesMax(long bytes) {
        return new TransactionOptions(
                transactionBytesMax, transactionBytesTotalMax, snapshotWindow, snapshotsMax, bytes, conflictBytesMax);
    }
}

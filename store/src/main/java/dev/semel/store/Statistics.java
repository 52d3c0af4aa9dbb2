package dev.semel.store;

/**
 * Counters of {@link Transactions} since it was opened, and two states.
 *
 * @param writeConflicts how often a write met a document or unique value newer than its transaction's snapshot
 * @param writtenBytes of all live transactions' writes now
 * @param retainedSnapshots instants now kept for {@link Transactions#snapshotAt}
 * @param commitGroups batches written, each of one commit or more
 * @param logSyncs how often the log was brought to the disk
 */
public record Statistics(
        long committed,
        long rolledBack,
        long writeConflicts,
        int live,
        long writtenBytes,
        int retainedSnapshots,
        long commitGroups,
        long logSyncs) {}

package dev.semel.store;

/** A state of a transaction's writes to which it can return; good until the transaction ends or returns behind it. */
public final class Savepoint {
    final Writes writes;
    final int lateEntries;
    final int removedRanges;

    Savepoint(Writes writes, int lateEntries, int removedRanges) {
        this.writes = writes;
        this.lateEntries = lateEntries;
        this.removedRanges = removedRanges;
    }
}

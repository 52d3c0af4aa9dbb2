package dev.semel.store;

/** A state of a transaction's writes to which it can return; good until the transaction ends or returns behind it. */
public final class Savepoint {
    final Writes writes;
    final int lateEntries;

    /** Of the last of them, which may have taken in more since. */
    final int lateMark;

    final Tallies.Mark tallies;
    final int removedRanges;

    Savepoint(Writes writes, int lateEntries, int lateMark, Tallies.Mark tallies, int removedRanges) {
        this.writes = writes;
        this.lateEntries = lateEntries;
        this.lateMark = lateMark;
        this.tallies = tallies;
        this.removedRanges = removedRanges;
    }
}

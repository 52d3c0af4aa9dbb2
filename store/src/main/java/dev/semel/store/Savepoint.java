package dev.semel.store;

/** A state of a transaction's writes to which it can return; good until the transaction ends or returns behind it. */
public final class Savepoint {
    final Writes writes;
    final int parts;

    /** Of the last of them, which may have taken in more since. */
    final int partMark;

    final Tallies.Mark tallies;
    final int removedRanges;

    Savepoint(Writes writes, int parts, int partMark, Tallies.Mark tallies, int removedRanges) {
        this.writes = writes;
        this.parts = parts;
        this.partMark = partMark;
        this.tallies = tallies;
        this.removedRanges = removedRanges;
    }
}

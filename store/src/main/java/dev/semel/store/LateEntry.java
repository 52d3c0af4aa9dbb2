package dev.semel.store;

/**
 * Rows of a commit that depend on its cluster time: oplog entries, at-most-once records. Called once, by the committer,
 * with every other commit waiting behind it: put ready-made bytes and fill in the time, no more.
 */
@FunctionalInterface
public interface LateEntry {
    void write(Stamp stamp);
}

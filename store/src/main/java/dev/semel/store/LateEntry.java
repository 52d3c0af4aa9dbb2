package dev.semel.store;

import java.util.List;

/**
 * Rows of a commit that depend on its cluster time: oplog entries, at-most-once records. Called once, by the committer,
 * with every other commit waiting behind it: put ready-made bytes and fill in the time, no more.
 */
@FunctionalInterface
public interface LateEntry {
    void write(Stamp stamp);

    /**
     * In the committing thread, before the commit takes its place: the last moment at which work costs nobody else. What
     * has been undone is not among the transaction's entries any more, which come in the order they were appended in.
     */
    default void prepare(List<LateEntry> all) {}
}

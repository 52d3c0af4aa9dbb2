package dev.semel.store;

/**
 * Kept up with in memory as transactions commit: how many documents a collection has, and how many bytes. Told by the
 * committer, with every other commit waiting behind it, so it must be quick.
 */
@FunctionalInterface
public interface Tally {
    void add(long documents, long bytes);
}

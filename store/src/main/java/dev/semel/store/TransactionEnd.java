package dev.semel.store;

/**
 * Told how a transaction ended, while its locks are still held. After a commit that is the committer, with every other
 * commit waiting behind it, so it must be quick.
 */
@FunctionalInterface
public interface TransactionEnd {
    /** The cluster time is that of the commit, which is visible by now; without meaning if there was none. */
    void ended(boolean committed, long clusterTime);
}

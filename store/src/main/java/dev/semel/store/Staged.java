package dev.semel.store;

/**
 * Rows of a large commit, prepared beside everything else so that the commit itself takes no longer than a small one. They are
 * seen when the {@link Batch} is written that they were added to; closed before that, they are dropped. Closing does nothing
 * afterwards.
 */
public interface Staged extends AutoCloseable {
    @Override
    void close();
}

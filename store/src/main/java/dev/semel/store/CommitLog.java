package dev.semel.store;

import dev.semel.store.lock.Interruption;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Puts commits into one order and makes them visible, then durable, in that order. Nothing above it knows whether that
 * means one disk or a majority of several machines.
 */
public interface CommitLog extends AutoCloseable {
    /** Makes the log of a database. */
    @FunctionalInterface
    interface Opener {
        /**
         * Nothing is applied before this returns.
         *
         * @param fatal called with a failure after which nothing can be written; it must end the process
         */
        CommitLog open(Store store, Sequencer sequencer, Applier applier, Consumer<Throwable> fatal);
    }

    /** Of a node by itself. */
    static Opener local() {
        return LocalCommitLog::start;
    }

    /** Whether other nodes apply the same commits: what is in files of this node has to reach them too. */
    boolean isShared();

    /** In which commits get their places now. A node that does not give them any refuses with {@code NotWritablePrimary}. */
    long term();

    /**
     * Fixes the place of a commit; does not wait. After {@link #close} it refuses with {@code ShutdownInProgress}. The
     * originator is notified of the outcome.
     */
    Commit append(CommitDraft draft, Originator originator);

    /**
     * Applies what a {@link dev.semel.wire.thread.SharedThread} has appended and left for later, so that one write does for all of it, unless
     * another thread is about to. To be called when such a thread has nothing to add.
     *
     * @return whether there was something
     */
    boolean applyLeft();

    /** Returns when everything that has been appended here before, and does not wait for other nodes, is applied or has failed. */
    void applyAll();

    /** Everything up to this cluster time survives what the log protects against. */
    long durableTime();

    /** A reply that must not be taken back waits here for the newest commit it saw. */
    void awaitDurable(long clusterTime, Interruption interruption);

    /** Followers of the log wait here, for a limited time, until anything later than this is durable. */
    boolean awaitDurableAfter(long clusterTime, Interruption interruption, LongSupplier remainingNanos);

    /** Returns at once; {@code wake} is called once, from any thread, when this time is durable or never will be. */
    void whenDurable(long clusterTime, Runnable wake);

    /** A thread waits for what is applied, or about to be, at this time; otherwise durability may take a while. */
    void durabilityWanted(long clusterTime);

    /** Ever since it was opened: how many groups of commits were written, and how often they were made durable. */
    long groups();

    long syncs();

    /** Completes what was appended, then ends. */
    @Override
    void close();
}

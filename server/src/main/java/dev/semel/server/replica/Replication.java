package dev.semel.server.replica;

import dev.semel.server.failpoint.FailPoints;
import dev.semel.server.settings.Settings;
import dev.semel.store.CommitLog;
import dev.semel.store.Store;
import dev.semel.store.Transactions;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;

/** How the commits of this node reach the other members of its set, and theirs this one. */
public interface Replication extends AutoCloseable {
    /** Opens the data where the server's options say it is. */
    @FunctionalInterface
    interface Data {
        Store open() throws IOException;
    }

    /** Of the whole node. */
    InstantSource clock();

    /** First of all: the parameters that the server was started with, and where tests make it fail. */
    default void configure(Settings settings, FailPoints failPoints) {}

    /** Opens the data. What the others have may have to take its place first. */
    default Store open(Data data) throws IOException {
        return data.open();
    }

    /** The log of the commits. */
    CommitLog.Opener log();

    /** Once the data is open: the description of the set for clients. */
    ReplicaSet describe(Transactions transactions);

    /** Once all parts of the server exist: from now on this node may become primary. */
    void start(Duties duties) throws IOException;

    /** Once it has started: what works, but is probably not intended. */
    default List<String> warnings() {
        return List.of();
    }

    /**
     * The node is about to end, and serves its clients still: if it is the primary and another node can be, that one takes
     * over, so that no client waits for an election. Returns when that is done, or will not be.
     */
    default void stepAside() {}

    /** The node is about to end; it writes no more if others do. */
    @Override
    void close();

    /** What the rest of the server has to do about it. */
    interface Duties {
        /**
         * This node is the one that writes: finishes what the primary before, or an earlier run of the server, has left
         * incomplete. The log takes commits by now; clients do not write before this returns.
         */
        void takeOver();

        /** This node does not write any more: open transactions end, and so does whatever is about to write. */
        void giveUp();
    }
}

package dev.semel.server.replica;

import dev.semel.store.CommitLog;
import dev.semel.store.Transactions;

/** How the commits of this node reach the other members of its set, and theirs this one. */
public interface Replication {
    /** The log of the commits. */
    CommitLog.Opener log();

    /** Once the data is open: what clients are told of the set. */
    ReplicaSet describe(Transactions transactions);

    /** Once all parts of the server exist: from now on this node may become primary. */
    void start(Duties duties);

    /** What the rest of the server has to do about it. */
    interface Duties {
        /**
         * This node is the one that writes: finishes what the primary before, or an earlier run of the server, has left
         * incomplete. The log takes commits by now; clients do not write before this returns.
         */
        void takeOver();
    }
}

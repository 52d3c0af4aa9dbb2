package dev.semel.store;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.concurrent.locks.ReentrantLock;

/** The commit log of a single node. */
final class LocalCommitLog implements CommitLog {
    private final Store store;
    private final ClusterClock clock;
    private final Versions versions;
    private final TimeGate durable;
    private final ReentrantLock order = new ReentrantLock();
    private boolean closed;

    LocalCommitLog(Store store, ClusterClock clock, Versions versions) {
        this.store = store;
        this.clock = clock;
        this.versions = versions;
        this.durable = new TimeGate(versions.visible().reached());
    }

    @Override
    public Commit append(Proposal proposal) {
        Commit commit = new Commit();
        order.lock();
        try {
            if (closed) {
                throw new CommandException(
                        ErrorCode.ShutdownInProgress, "The server is in quiesce mode and will shut down");
            }
            Stamp stamp = new Stamp(clock, new Batch());
            proposal.writeTo(stamp);
            long time = stamp.clusterTime();
            stamp.batch().clusterTime(time);
            store.write(stamp.batch(), true);
            proposal.applying(time);
            versions.publish(store.snapshot(time));
            durable.advance(time);
            proposal.applied();
            commit.applied(time, time, true);
        } finally {
            order.unlock();
        }
        return commit;
    }

    @Override
    public long durableTime() {
        return durable.reached();
    }

    @Override
    public void awaitDurable(long clusterTime, Interruption interruption) {
        durable.await(clusterTime, interruption);
    }

    @Override
    public void close() {
        order.lock();
        try {
            closed = true;
        } finally {
            order.unlock();
        }
    }
}

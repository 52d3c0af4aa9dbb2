package dev.semel.server.replica;

import dev.semel.store.CommitLog;
import dev.semel.store.Transactions;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The only node with its data: primary from the start. */
public final class Alone implements Replication {
    private final InstantSource clock;
    private final Function<Transactions, ReplicaSet> description;
    private @Nullable ReplicaSet described;

    /** With the description that clients get. */
    public Alone(InstantSource clock, Function<Transactions, ReplicaSet> description) {
        this.clock = clock;
        this.description = description;
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public CommitLog.Opener log() {
        return CommitLog.local();
    }

    @Override
    public ReplicaSet describe(Transactions transactions) {
        ReplicaSet fresh = description.apply(transactions);
        described = fresh;
        return fresh;
    }

    @Override
    public void start(Duties duties) throws IOException {
        if (described instanceof SingleMember member) {
            member.requireAlone();
        }
        duties.takeOver();
    }

    @Override
    public void close() {}
}

package dev.semel.server;

import dev.semel.server.once.NumberRecord;
import dev.semel.server.once.TransactionTable;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.replica.Replication;
import dev.semel.server.replica.SingleMember;
import dev.semel.server.session.SessionId;
import dev.semel.store.CommitListener;
import dev.semel.store.CommitLog;
import dev.semel.store.CommitRecord;
import dev.semel.store.RecordCodec;
import dev.semel.store.Transactions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A primary without others whose commit records are kept as bytes. */
final class RecordingNode implements Replication {
    private final List<byte[]> records = Collections.synchronizedList(new ArrayList<>());
    private final long failsAt;
    private @Nullable Transactions transactions;
    private @Nullable TransactionTable numbers;

    RecordingNode() {
        this(Long.MAX_VALUE);
    }

    /** One that fails at this commit, between the engine and memory. */
    RecordingNode(long failsAt) {
        this.failsAt = failsAt;
    }

    @Override
    public InstantSource clock() {
        return InstantSource.system();
    }

    @Override
    public CommitLog.Opener log() {
        return (store, sequencer, applier, fatal) -> {
            applier.listen(new CommitListener() {
                @Override
                public void applied(CommitRecord record) {
                    records.add(RecordCodec.encode(record));
                    if (record.place().sequence() == failsAt) {
                        throw new PlannedFailure();
                    }
                }
            });
            return CommitLog.local().open(store, sequencer, applier, fatal);
        };
    }

    @Override
    public ReplicaSet describe(Transactions data) {
        transactions = data;
        numbers = new TransactionTable(data, InstantSource.system(), () -> Duration.ZERO, 1 << 20);
        return new SingleMember("rs0", "recording:1", data, null, InstantSource.system(), System::nanoTime);
    }

    @Override
    public void close() {}

    @Override
    public void start(Duties duties) {
        duties.takeOver();
    }

    /** As those know it that judge numbers; -1 for none. */
    long newestNumber(SessionId session) {
        NumberRecord newest = Objects.requireNonNull(numbers).newest(session);
        return newest == null ? -1 : newest.number();
    }

    Transactions transactions() {
        return Objects.requireNonNull(transactions);
    }

    /** So far, from the first commit on. */
    List<byte[]> records() {
        synchronized (records) {
            return List.copyOf(records);
        }
    }

    /** The cluster time of a record. */
    long timeOf(int index) {
        return RecordCodec.decode(records.get(index)).clusterTime();
    }

    /** Thrown where a node is to stop. */
    static final class PlannedFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        PlannedFailure() {
            super("planned by the test");
        }
    }
}

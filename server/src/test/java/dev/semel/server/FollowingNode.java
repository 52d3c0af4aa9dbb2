package dev.semel.server;

import dev.semel.server.once.NumberRecord;
import dev.semel.server.once.TransactionTable;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.replica.Replication;
import dev.semel.server.replica.SingleMember;
import dev.semel.server.session.SessionId;
import dev.semel.store.Applier;
import dev.semel.store.Commit;
import dev.semel.store.CommitDraft;
import dev.semel.store.CommitListener;
import dev.semel.store.CommitLog;
import dev.semel.store.CommitRecord;
import dev.semel.store.LogPosition;
import dev.semel.store.Originator;
import dev.semel.store.Position;
import dev.semel.store.RecordCodec;
import dev.semel.store.Sequencer;
import dev.semel.store.Store;
import dev.semel.store.TimeGate;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Runs nothing of its own: it applies the records of another node, until it takes over. */
final class FollowingNode implements Replication {
    private final long failsAt;
    private final AtomicLong attempts = new AtomicLong();
    private @Nullable Parts parts;
    private @Nullable Transactions transactions;
    private @Nullable TransactionTable numbers;
    private @Nullable Duties duties;
    private volatile @Nullable CommitLog own;
    private volatile boolean isPrimary;

    /** What its log is made of. */
    private record Parts(
            Store store, Sequencer sequencer, Applier applier, Consumer<Throwable> fatal, TimeGate durable) {}

    FollowingNode() {
        this(Long.MAX_VALUE);
    }

    /** One that fails at this commit, between the engine and memory. */
    FollowingNode(long failsAt) {
        this.failsAt = failsAt;
    }

    // ---- what the other node has done

    /** Applies consecutive records as one group; those that it has already are skipped. */
    void feed(List<byte[]> records) {
        Parts with = parts();
        List<CommitRecord> group = new ArrayList<>();
        for (byte[] each : records) {
            CommitRecord record = RecordCodec.decode(each);
            if (record.place().sequence() > applied().sequence()) {
                group.add(record);
            }
        }
        if (!group.isEmpty()) {
            with.applier.apply(group, LogPosition.NONE, () -> {});
            with.store.syncLog();
            with.durable.advance(group.getLast().clusterTime());
        }
    }

    Position applied() {
        return parts().applier.applied();
    }

    /** How often something on this node has tried to write while it was following. */
    long attempts() {
        return attempts.get();
    }

    /** As those know it that judge numbers; -1 for none. */
    long newestNumber(SessionId session) {
        NumberRecord newest = Objects.requireNonNull(numbers).newest(session);
        return newest == null ? -1 : newest.number();
    }

    Transactions transactions() {
        return Objects.requireNonNull(transactions);
    }

    private Parts parts() {
        return Objects.requireNonNull(parts);
    }

    /** The other node is gone. */
    void takeOver() {
        Parts with = parts();
        Position applied = with.applier.applied();
        with.sequencer.begin(applied.term() + 1, applied);
        own = CommitLog.local().open(with.store, with.sequencer, with.applier, with.fatal);
        Objects.requireNonNull(duties).takeOver();
        isPrimary = true;
    }

    // ---- for the server

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
                    if (record.place().sequence() == failsAt) {
                        throw new RecordingNode.PlannedFailure();
                    }
                }
            });
            TimeGate durable = new TimeGate(applier.applied().clusterTime());
            parts = new Parts(store, sequencer, applier, fatal, durable);
            return new Log(durable);
        };
    }

    @Override
    public ReplicaSet describe(Transactions data) {
        transactions = data;
        numbers = new TransactionTable(data, InstantSource.system(), () -> Duration.ZERO, 1 << 20);
        return new Member(new SingleMember("rs0", "following:1", data, null, InstantSource.system(), System::nanoTime));
    }

    @Override
    public void start(Duties given) {
        duties = given;
    }

    @Override
    public void close() {}

    private final class Log implements CommitLog {
        private final TimeGate durable;

        Log(TimeGate durable) {
            this.durable = durable;
        }

        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public long term() {
            return writing().term();
        }

        @Override
        public Commit append(CommitDraft draft, Originator originator) {
            return writing().append(draft, originator);
        }

        @Override
        public boolean applyLeft() {
            CommitLog log = own;
            return log != null && log.applyLeft();
        }

        @Override
        public void applyAll() {
            CommitLog log = own;
            if (log != null) {
                log.applyAll();
            }
        }

        private CommitLog writing() {
            CommitLog log = own;
            if (log == null) {
                attempts.incrementAndGet();
                throw new CommandException(ErrorCode.NotWritablePrimary, "not primary");
            }
            return log;
        }

        @Override
        public long durableTime() {
            CommitLog log = own;
            return log == null ? durable.reached() : log.durableTime();
        }

        @Override
        public void awaitDurable(long clusterTime, Interruption interruption) {
            CommitLog log = own;
            if (log == null) {
                durable.await(clusterTime, interruption);
            } else {
                log.awaitDurable(clusterTime, interruption);
            }
        }

        @Override
        public boolean awaitDurableAfter(long clusterTime, Interruption interruption, LongSupplier remainingNanos) {
            CommitLog log = own;
            return log == null
                    ? durable.await(clusterTime + 1, interruption, remainingNanos)
                    : log.awaitDurableAfter(clusterTime, interruption, remainingNanos);
        }

        @Override
        public void whenDurable(long clusterTime, Runnable wake) {
            CommitLog log = own;
            if (log == null) {
                durable.whenReached(clusterTime, wake);
            } else {
                log.whenDurable(clusterTime, wake);
            }
        }

        @Override
        public void durabilityWanted(long clusterTime) {
            CommitLog log = own;
            if (log != null) {
                log.durabilityWanted(clusterTime);
            }
        }

        @Override
        public long groups() {
            return 0;
        }

        @Override
        public long syncs() {
            return 0;
        }

        @Override
        public void close() {
            CommitLog log = own;
            if (log != null) {
                log.close();
            }
        }
    }

    /** What clients are told. */
    private final class Member implements ReplicaSet {
        private final SingleMember set;

        Member(SingleMember set) {
            this.set = set;
        }

        @Override
        public void confirmPrimary(Interruption interruption) {
            if (!isPrimary) {
                throw new CommandException(ErrorCode.NotWritablePrimary, "not primary");
            }
        }

        @Override
        public int dataBearingMembers() {
            return 3;
        }

        @Override
        public boolean awaitMembers(int members, long nanosMax, Interruption interruption) {
            throw new IllegalStateException("nothing here has to reach others");
        }

        @Override
        public String name() {
            return set.name();
        }

        @Override
        public boolean isWritablePrimary() {
            return isPrimary;
        }

        @Override
        public long topologyCounter() {
            return set.topologyCounter();
        }

        @Override
        public void awaitChange(long counter, long nanosMax, Interruption interruption) {
            set.awaitChange(counter, nanosMax, interruption);
        }

        @Override
        public boolean describe(BsonWriter hello) {
            return set.describe(hello);
        }

        @Override
        public void status(BsonWriter reply) {
            set.status(reply);
        }

        @Override
        public void configuration(BsonWriter reply) {
            set.configuration(reply);
        }
    }
}

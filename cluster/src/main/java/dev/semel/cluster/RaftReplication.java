package dev.semel.cluster;

import dev.semel.replication.Entry;
import dev.semel.replication.GroupId;
import dev.semel.replication.Member;
import dev.semel.replication.Membership;
import dev.semel.replication.Outcome;
import dev.semel.replication.Position;
import dev.semel.replication.ReplicatedState;
import dev.semel.replication.ReplicationEngine;
import dev.semel.replication.ReplicationNode;
import dev.semel.replication.ReplicationOptions;
import dev.semel.replication.RoleView;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.replica.Replication;
import dev.semel.store.Applier;
import dev.semel.store.CommitLog;
import dev.semel.store.LogPosition;
import dev.semel.store.Sequencer;
import dev.semel.store.Store;
import dev.semel.store.Transactions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A member of a set of several, on a consensus engine. */
final class RaftReplication implements Replication {
    private static final int MB = 1 << 20;

    /** The same for all. */
    private static final int PRIORITY = 1;

    private static final int ENTRY_BYTES_MAX = 4 * MB;
    private static final int PENDING_BYTES_MAX = 64 * MB;
    private static final int LOG_SEGMENT_BYTES = 32 * MB;
    private static final int TAKE_OVER_ATTEMPTS_MAX = 10;

    private final SetOptions options;
    private final MemberData data;

    /** Wants the server closed and opened again, for a reason; returns at once. */
    private final Consumer<String> reopen;

    private final MemberParts parts;
    private final LongSupplier nanoTime;
    private final State state = new State();

    /** Takes over and gives up, one after the other, off the engine's threads. */
    private final ExecutorService roles = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("semel-role").daemon(true).factory());

    // Set in the order of the methods of this class, before anything else happens.
    private @Nullable RaftCommitLog log;
    private @Nullable Applier applier;
    private @Nullable RaftReplicaSet set;
    private @Nullable Duties duties;
    private @Nullable Consumer<Throwable> fatal;
    private @Nullable ReplicationNode node;

    /** Complete once the engine has started, which may elect this member before that. */
    private final CompletableFuture<ReplicationEngine> engine = new CompletableFuture<>();

    RaftReplication(
            SetOptions options, MemberData data, Consumer<String> reopen, MemberParts parts, LongSupplier nanoTime) {
        this.options = options;
        this.data = data;
        this.reopen = reopen;
        this.parts = parts;
        this.nanoTime = nanoTime;
    }

    @Override
    public InstantSource clock() {
        return parts.clock();
    }

    @Override
    public Store open(Data where) throws IOException {
        return parts.opened().apply(data.open(where));
    }

    @Override
    public CommitLog.Opener log() {
        return this::open;
    }

    private CommitLog open(Store store, Sequencer sequencer, Applier applied, Consumer<Throwable> failed) {
        applier = applied;
        fatal = failed;
        RaftCommitLog opened =
                new RaftCommitLog(sequencer, applied, this::propose, ENTRY_BYTES_MAX, new LogEvents(reopen, failed));
        log = opened;
        return opened;
    }

    private Future<Outcome> propose(byte[] entry, long term) {
        return engine.join().propose(entry, term);
    }

    @Override
    public ReplicaSet describe(Transactions transactions) {
        RaftReplicaSet described = new RaftReplicaSet(
                options,
                transactions,
                () -> require(applier).applied().log().index(),
                this::barrier,
                this::progress,
                parts.clock(),
                nanoTime);
        set = described;
        return described;
    }

    private Future<Outcome> barrier() {
        return engine.join().barrier();
    }

    private List<RoleView.Progress> progress() {
        return engine.join().role().progress();
    }

    @Override
    public void start(Duties others) throws IOException {
        duties = others;
        ReplicationOptions settings = new ReplicationOptions(
                options.self(),
                SetOptions.host(options.self()),
                SetOptions.replicationPort(options.self()),
                null,
                options.folder(),
                options.electionTimeout(),
                ENTRY_BYTES_MAX,
                PENDING_BYTES_MAX,
                LOG_SEGMENT_BYTES,
                Long.MAX_VALUE,
                Duration.ofDays(36_500));
        List<Member> members = options.members().stream()
                .map(each -> new Member(each, SetOptions.host(each), SetOptions.replicationPort(each), PRIORITY))
                .toList();
        ReplicationNode started = parts.engine().start(settings);
        node = started;
        engine.complete(
                started.open(new GroupId(options.group()), new Membership(members, List.of()), state, require(fatal)));
    }

    private static <T> T require(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not opened yet");
        }
        return part;
    }

    @Override
    public void close() {
        ReplicationNode running = node;
        if (running != null) {
            running.close();
        }
        require(log).notWritable();
        require(set).notWritable();
        roles.shutdown();
    }

    /** Calls of the commit log. */
    private record LogEvents(Consumer<String> reopen, Consumer<Throwable> failed) implements RaftCommitLog.Events {
        @Override
        public void mustReopen(String why) {
            reopen.accept(why);
        }

        @Override
        public void fatal(Throwable cause) {
            failed.accept(cause);
        }
    }

    /** Calls of the engine. */
    private final class State implements ReplicatedState {
        @Override
        public Position applied() {
            LogPosition applied = require(applier).applied().log();
            return new Position(applied.term(), applied.index());
        }

        @Override
        public void apply(List<Entry> entries) {
            require(log).apply(entries);
        }

        @Override
        public void writable(long term) {
            require(log).writable(term);
            roles.execute(() -> takeOver(term));
        }

        @Override
        public void notWritable(String reason) {
            require(log).notWritable();
            require(set).notWritable();
            roles.execute(require(duties)::giveUp);
        }

        @Override
        public void leaderChanged(@Nullable String leader, long term) {
            require(set).leader(leader, term);
        }

        @Override
        public void membersChanged(Membership membership) {}

        @Override
        public void saveCheckpoint(Path folder) throws IOException {
            throw new IOException("checkpoints of a member are not supported");
        }

        @Override
        public void loadCheckpoint(Path folder) throws IOException {
            throw new IOException("checkpoints of a member are not supported");
        }
    }

    private void takeOver(long term) {
        for (int attempt = 1; require(log).isWritable(term); attempt++) {
            try {
                require(duties).takeOver();
                require(set).writable(term);
                // The end of the term may have been told in between.
                if (!require(log).isWritable(term)) {
                    require(set).notWritable();
                }
                return;
            } catch (RuntimeException e) {
                // A primary that cannot do its duties would keep the others from electing one that can.
                if (require(log).isWritable(term) && attempt == TAKE_OVER_ATTEMPTS_MAX) {
                    require(fatal).accept(e);
                    return;
                }
            }
        }
    }
}

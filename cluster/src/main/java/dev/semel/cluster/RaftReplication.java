package dev.semel.cluster;

import dev.semel.replication.Entry;
import dev.semel.replication.GroupId;
import dev.semel.replication.GroupStopped;
import dev.semel.replication.Member;
import dev.semel.replication.Membership;
import dev.semel.replication.MutualTls;
import dev.semel.replication.Outcome;
import dev.semel.replication.Position;
import dev.semel.replication.ReplicatedState;
import dev.semel.replication.ReplicationEngine;
import dev.semel.replication.ReplicationNode;
import dev.semel.replication.ReplicationOptions;
import dev.semel.replication.RoleView;
import dev.semel.server.failpoint.FailPoint.RsSyncApplyStop;
import dev.semel.server.failpoint.FailPoints;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.replica.Replication;
import dev.semel.server.replica.SetMember;
import dev.semel.server.settings.Settings;
import dev.semel.server.status.Log;
import dev.semel.server.tls.Tls;
import dev.semel.store.Applier;
import dev.semel.store.CommitLog;
import dev.semel.store.HeldEntries;
import dev.semel.store.LogPosition;
import dev.semel.store.Sequencer;
import dev.semel.store.Store;
import dev.semel.store.Transactions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A member of a set of several, on a consensus engine. */
final class RaftReplication implements Replication {
    private static final int MB = 1 << 20;

    private static final int ENTRY_BYTES_MAX = 4 * MB;

    /** What waits, in several places at once, is a share of the heap up to this. */
    private static final int PENDING_BYTES_MAX = 64 * MB;

    private static final int PENDING_SHARE = 16;

    /** What a member reads into memory when it starts, the log above its newest checkpoint, is a share of the heap too. */
    private static final int REPLAYED_SHARE = 8;

    /** What a delayed member holds whose data is in memory. */
    private static final int HELD_SHARE = 8;

    /** The log is deleted by segments, so it should have several before anything is. */
    private static final int LOG_SEGMENTS_MIN = 8;

    /** What is kept for a member that receives a checkpoint and catches up then, compared with what is kept for all. */
    private static final int CATCH_UP_LOGS = 4;

    /** How often the log says how much of a checkpoint has arrived. */
    private static final long PROGRESS_NANOS = Duration.ofSeconds(2).toNanos();

    /** Within which a member that has stopped learns that it was removed. */
    private static final long REMOVAL_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    private static final long REMOVAL_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** How often a member whose applying was stopped looks whether it may go on. */
    private static final long STOPPED_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** After the first election: soon enough for the next one, and not in the middle of this one. */
    private static final long REHEARSED_MS = 1_000;

    /** After an election: when the leader answers clients, and has nothing more urgent to do. */
    private static final long FORMAT_ASKED_MS = 2_000;

    private final SetOptions options;
    private final NamedMembers named;
    private final MemberData data;
    private final Log events;
    private final RoleLog roleLog;

    /** Wants the server closed and opened again, for a reason; returns at once. */
    private final Consumer<String> reopen;

    private final MemberParts parts;
    private final LongSupplier nanoTime;
    private final @Nullable Tls tlsOfClients;
    private final CutLinks links;
    private final State state = new State();

    // Set in the order of the methods of this class, before anything else happens.
    private long logBytesMax;
    private Duration checkpointAge = Duration.ZERO;
    private @Nullable FailPoints failPoints;
    private @Nullable Store store;
    private @Nullable Transactions transactions;
    private @Nullable RaftCommitLog log;
    private @Nullable Applier applier;
    private @Nullable HeldEntries held;
    private @Nullable RaftReplicaSet set;
    private @Nullable Leadership leadership;
    private @Nullable RaftAdministration administration;
    private @Nullable Tenure tenure;
    private @Nullable SameFormat sameFormat;
    private @Nullable Consumer<Throwable> fatal;
    private @Nullable ReplicationNode node;

    private volatile boolean isClosing;

    /** Complete once the engine has started, which may elect this member before that. */
    private final CompletableFuture<ReplicationEngine> engine = new CompletableFuture<>();

    /** @param named by whoever started it */
    RaftReplication(
            SetOptions options,
            NamedMembers named,
            @Nullable Tls tlsOfClients,
            CutLinks links,
            MemberData data,
            Log events,
            Consumer<String> reopen,
            MemberParts parts,
            LongSupplier nanoTime) {
        this.options = options;
        this.named = named;
        this.tlsOfClients = tlsOfClients;
        this.links = links;
        this.data = data;
        this.events = events;
        this.roleLog = new RoleLog(events, options.self());
        this.reopen = reopen;
        this.parts = parts;
        this.nanoTime = nanoTime;
    }

    @Override
    public InstantSource clock() {
        return parts.clock();
    }

    @Override
    public void configure(Settings settings, FailPoints failPoints) {
        links.use(failPoints);
        this.failPoints = failPoints;
        logBytesMax = settings.replicationLogMegabytes.value() * MB;
        checkpointAge = Duration.ofSeconds(settings.checkpointIntervalSecs.value());
    }

    @Override
    public Store open(Data where) throws IOException {
        return parts.opened().apply(data.open(where, options));
    }

    @Override
    public CommitLog.Opener log() {
        return this::open;
    }

    private CommitLog open(Store opened, Sequencer sequencer, Applier applied, Consumer<Throwable> failed) {
        store = opened;
        applier = applied;
        fatal = failed;
        HeldEntries entries = new HeldEntries(opened, applied);
        held = entries;
        RaftCommitLog commits = new RaftCommitLog(
                sequencer,
                applied,
                this::propose,
                ENTRY_BYTES_MAX,
                options.folder(),
                new Delay(
                        entries,
                        new DelayRules(),
                        parts.clock(),
                        Runtime.getRuntime().maxMemory() / HELD_SHARE),
                nanoTime,
                new LogEvents(reopen, failed));
        log = commits;
        return commits;
    }

    private Future<Outcome> propose(byte[] entry, long term) {
        return engine.join().propose(entry, term);
    }

    @Override
    public ReplicaSet describe(Transactions database) {
        transactions = database;
        MemberClient client = client();
        RaftReplicaSet described = new RaftReplicaSet(
                options,
                client,
                database,
                () -> require(applier).applied().log().index(),
                new EngineView(),
                parts.clock(),
                nanoTime);
        if (isEmpty()) {
            described.syncing(true);
        }
        byte[] configuration = require(held).note();
        if (configuration != null) {
            described.stored().ahead(RawDocument.of(configuration));
        }
        Leadership led = new Leadership(options, client, described, require(log), roleLog, engine::join, nanoTime);
        RaftAdministration administered =
                new RaftAdministration(options, client, described, led, this::giveUp, parts.clock());
        described.administeredBy(administered);
        administration = administered;
        leadership = led;
        set = described;
        return described;
    }

    private MemberClient client() {
        return new MemberClient(tlsOfClients, links::reaches);
    }

    private final class EngineView implements RaftReplicaSet.Engine {
        @Override
        public Future<Outcome> barrier() {
            return engine.join().barrier();
        }

        @Override
        public List<RoleView.Progress> progress() {
            return engine.join().role().progress();
        }
    }

    @Override
    public void start(Duties duties) throws IOException {
        OwnAddress.require(options);
        String stored = require(set).config().name();
        if (!stored.equals(options.name())) {
            throw new IOException(
                    "the data belongs to the replica set '%s', and this is a member of '%s': correct --replSet, or take an empty --dbpath"
                            .formatted(stored, options.name()));
        }
        if (!require(set).stored().isStored()) {
            named.requireSameAs(options);
            NamedMembers.requireSameName(options, client());
        }
        SameFormat format = new SameFormat(options.self(), client());
        format.require(require(set).config().members().stream()
                .map(SetMember::host)
                .filter(each -> !each.equals(options.self()))
                .toList());
        sameFormat = format;
        MemberFile.of(options).write(options.folder());
        ReplicationOptions settings = new ReplicationOptions(
                options.self(),
                SetOptions.host(options.self()),
                SetOptions.replicationPort(options.self()),
                tls(options.security()),
                options.folder(),
                Duration.ofMillis(require(set).config().settings().electionTimeoutMillis()),
                ENTRY_BYTES_MAX,
                pendingBytesMax(),
                (int) Math.min(logBytesMax / LOG_SEGMENTS_MIN, pendingBytesMax() / 2),
                Math.min(logBytesMax, Runtime.getRuntime().maxMemory() / REPLAYED_SHARE),
                logBytesMax,
                CATCH_UP_LOGS * logBytesMax,
                checkpointAge);
        Tenure begun = new Tenure(
                require(leadership),
                require(set),
                require(log),
                require(transactions),
                duties,
                roleLog,
                require(fatal),
                parts.clock(),
                nanoTime);
        tenure = begun;
        ReplicationNode started = parts.engine().start(settings, links);
        node = started;
        engine.complete(started.open(new GroupId(options.group()), initial(), state, this::stopped));
        begun.start();
    }

    @Override
    public List<String> warnings() {
        return named.warnings(require(set).config(), options.self());
    }

    /** After a restart the engine knows better. */
    private Membership initial() {
        String self = options.self();
        return options.members().isEmpty()
                ? Membership.joining(new Member(self, SetOptions.host(self), SetOptions.replicationPort(self), 1))
                : Leadership.membership(options.initial());
    }

    /** The engine runs no more here: this member has been removed, and can be added again, or it has failed. */
    private void stopped(Throwable cause) {
        if (!(cause instanceof GroupStopped)) {
            require(fatal).accept(cause);
            return;
        }
        Thread.ofVirtual().name("semel-stopped").start(() -> {
            // The engine may stop a moment before the configuration is applied that says why.
            long end = nanoTime.getAsLong() + REMOVAL_NANOS_MAX;
            while (require(set).self() != null && nanoTime.getAsLong() - end < 0) {
                LockSupport.parkNanos(REMOVAL_LOOK_NANOS);
            }
            // It may be added again before it has learned that it was removed.
            reopen.accept(
                    require(set).self() == null
                            ? "it was removed from its set"
                            : "the other members say that it is none of them");
        });
    }

    private static @Nullable MutualTls tls(@Nullable MemberSecurity security) {
        return security == null ? null : new MutualTls(security.own(), security.others(), new Refusals());
    }

    /** Never less than what commits on their way need. */
    private static int pendingBytesMax() {
        return (int)
                Math.clamp(Runtime.getRuntime().maxMemory() / PENDING_SHARE, 4L * ENTRY_BYTES_MAX, PENDING_BYTES_MAX);
    }

    private static <T> T require(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not opened yet");
        }
        return part;
    }

    @Override
    public void stepAside() {
        try {
            require(administration).stepAside();
        } catch (RuntimeException e) {
            events.error(Log.Component.REPL, "member", "No other member has taken over; the others elect a primary", e);
        }
    }

    @Override
    public void close() {
        isClosing = true;
        // If it has not started, nobody may wait for it any more.
        engine.completeExceptionally(new IllegalStateException("this member is closed"));
        ReplicationNode running = node;
        try {
            if (running != null) {
                running.close();
            }
        } finally {
            require(set).notWritable();
            require(log).notWritable();
            Tenure begun = tenure;
            if (begun != null) {
                begun.close();
            }
        }
    }

    private final class DelayRules implements Delay.Rules {
        @Override
        public Duration delay() {
            SetMember self = require(set).self();
            return self == null ? Duration.ZERO : self.delay();
        }

        @Override
        public void configured(byte[] document) {
            require(set).stored().ahead(RawDocument.of(document));
        }

        @Override
        public void tooMuch(long bytes) {
            events.warning(
                    Log.Component.REPL,
                    "member",
                    "Commits are applied before the delay of this member is over: its data is in memory, and no more"
                            + " can be held",
                    new BsonWriter().put("bytes", bytes).finish());
        }
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
        /** Touched by the engine's thread. */
        private boolean hasHistory;

        /** Touched by the engine's thread. */
        private boolean hasRehearsed;

        /** When it was said last how much of a checkpoint has arrived; 0 if never. */
        private long reportedNanos;

        /** Of a checkpoint; what is in files of its own and not yet in its place. */
        private long arrivedBytes;

        @Override
        public Position applied() {
            LogPosition applied = require(applier).applied().log();
            return new Position(applied.term(), applied.index());
        }

        @Override
        public void apply(List<Entry> entries) {
            while (isStopped()) {
                LockSupport.parkNanos(STOPPED_LOOK_NANOS);
            }
            require(log).apply(entries);
            hasHistory();
        }

        private boolean isStopped() {
            return !require(tenure).isLeader()
                    && !isClosing
                    && require(failPoints).hit(RsSyncApplyStop.NAME, RsSyncApplyStop.class) != null;
        }

        @Override
        public void writable(long term) {
            require(log).writable(term);
            require(tenure).begin(term);
        }

        @Override
        public void notWritable(String reason) {
            // First, for a take-over of this term that is under way.
            require(tenure).end();
            // Then what clients are told, so that the errors of what was under way carry the newer state.
            require(set).notWritable();
            require(log).notWritable();
            require(set).stored().reload();
            roleLog.notPrimary(reason);
            giveUp();
        }

        @Override
        public void leaderChanged(@Nullable String leader, long term) {
            require(set).leader(leader, term);
            roleLog.elected(leader, term);
            if (leader != null) {
                rehearse();
            }
            if (leader != null && !leader.equals(options.self())) {
                later(FORMAT_ASKED_MS).execute(() -> askForFormat(leader));
            }
        }

        private void rehearse() {
            if (!hasRehearsed) {
                hasRehearsed = true;
                var unused = engine.thenAcceptAsync(
                        each -> {
                            var unusedOutcome = each.rehearse();
                        },
                        later(REHEARSED_MS));
            }
        }

        private Executor later(long ms) {
            return CompletableFuture.delayedExecutor(
                    ms, TimeUnit.MILLISECONDS, require(tenure).executor());
        }

        @Override
        public void membersChanged(Membership membership) {
            hasHistory();
        }

        @Override
        public void saveCheckpoint(Path folder) throws IOException {
            long start = nanoTime.getAsLong();
            LogPosition position = require(applier).applied().log();
            SavedData.write(folder, options.name(), require(store), position);
            events.info(
                    Log.Component.REPL,
                    "member",
                    "A checkpoint was saved; older parts of the log are deleted",
                    new BsonWriter()
                            .put("term", position.term())
                            .put("index", position.index())
                            .put("durationMillis", (nanoTime.getAsLong() - start) / 1_000_000)
                            .finish());
        }

        @Override
        public boolean loadCheckpoint(Path folder) throws IOException {
            SavedData saved = SavedData.read(folder);
            if (!saved.isNewerThan(require(applier).applied().log())) {
                require(set).synced();
                return true;
            }
            saved.check(options.name(), require(store).isPersistent());
            reopen.accept("a checkpoint of the primary has arrived");
            return false;
        }

        @Override
        public void checkpointArriving(long bytes) {
            require(set).syncing(isEmpty());
            // Should it never be complete, the next entry says that there is no need.
            hasHistory = false;
            long now = nanoTime.getAsLong();
            if (bytes < arrivedBytes) {
                events.warning(
                        Log.Component.REPL,
                        "member",
                        "A checkpoint of the primary did not arrive as a whole, and begins again",
                        new BsonWriter()
                                .put("bytes", arrivedBytes)
                                .put("freeBytes", options.folder().toFile().getUsableSpace())
                                .finish());
            }
            arrivedBytes = bytes;
            if (reportedNanos != 0 && now - reportedNanos < PROGRESS_NANOS) {
                return;
            }
            reportedNanos = now;
            events.info(
                    Log.Component.REPL,
                    "member",
                    "The log of the primary does not reach back far enough; a checkpoint of it is arriving",
                    new BsonWriter().put("bytes", bytes).finish());
        }

        /** Something of the set's log is applied here. */
        private void hasHistory() {
            if (!hasHistory) {
                hasHistory = true;
                require(set).synced();
            }
        }
    }

    /** Both may have started at the same time, and then neither has heard of the other's. */
    private void askForFormat(String leader) {
        Thread.ofVirtual().name("semel-format").start(() -> {
            try {
                require(sameFormat).require(leader);
            } catch (IOException e) {
                require(fatal).accept(e);
            }
        });
    }

    private boolean isEmpty() {
        return require(applier).applied().log().equals(LogPosition.NONE);
    }

    private void giveUp() {
        require(tenure).giveUp();
    }
}

package dev.semel.cluster;

import dev.semel.replication.Outcome;
import dev.semel.replication.RoleView;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A replica set of several members, as this one sees it. */
final class RaftReplicaSet implements ReplicaSet {
    private static final int PRIMARY = 1;
    private static final int SECONDARY = 2;
    private static final int RECOVERING = 3;
    private static final int STARTUP2 = 5;
    private static final int UNKNOWN = 6;

    /** How often the progress of the members is looked at. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final SetOptions options;
    private final Transactions transactions;
    private final LongSupplier applied;
    private final Supplier<Future<Outcome>> barrier;
    private final Supplier<List<RoleView.Progress>> progress;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final long startedMillis;
    private final AtomicReference<View> view = new AtomicReference<>(new View(1, 0, null, false));

    /** What this member is while it is not the primary. */
    private volatile int follower = SECONDARY;

    /** Who waits for news. */
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    /**
     * What is known at a moment.
     *
     * @param primary the leader, which may not accept writes yet; null if none is known
     * @param isWritable whether this member accepts writes
     */
    private record View(long counter, long term, @Nullable String primary, boolean isWritable) {}

    /**
     * As clients are to see it.
     *
     * @param applied the index of the newest entry that is applied here
     * @param barrier what a linearizable read waits for
     * @param progress how far the members are, on the primary
     */
    RaftReplicaSet(
            SetOptions options,
            Transactions transactions,
            LongSupplier applied,
            Supplier<Future<Outcome>> barrier,
            Supplier<List<RoleView.Progress>> progress,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.options = options;
        this.transactions = transactions;
        this.applied = applied;
        this.barrier = barrier;
        this.progress = progress;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.startedMillis = clock.millis();
    }

    // ---- what happens

    void leader(@Nullable String leader, long term) {
        change(now -> new View(now.counter + 1, term, leader, now.isWritable));
    }

    void writable(long term) {
        change(now -> new View(now.counter + 1, term, options.self(), true));
    }

    /** It has no data yet, or waits for a checkpoint of the primary: nobody reads here. */
    void syncing(boolean isInitial) {
        follower(isInitial ? STARTUP2 : RECOVERING);
    }

    void synced() {
        follower(SECONDARY);
    }

    private void follower(int state) {
        if (follower != state) {
            follower = state;
            change(now -> new View(now.counter + 1, now.term, now.primary, now.isWritable));
        }
    }

    void notWritable() {
        change(now ->
                new View(now.counter + 1, now.term, options.self().equals(now.primary) ? null : now.primary, false));
    }

    private void change(UnaryOperator<View> next) {
        view.updateAndGet(next);
        waiting.forEach(LockSupport::unpark);
    }

    // ---- read and write concern

    @Override
    public void confirmPrimary() {
        Outcome outcome;
        try {
            outcome = barrier.get().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ErrorCode.Interrupted, "operation was interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        if (!(outcome instanceof Outcome.Applied)) {
            throw new CommandException(ErrorCode.NotWritablePrimary, "not primary");
        }
    }

    @Override
    public int dataBearingMembers() {
        return options.members().size();
    }

    @Override
    public boolean awaitMembers(int members, long nanosMax, Interruption interruption) {
        long index = applied.getAsLong();
        long start = nanoTime.getAsLong();
        while (isWritablePrimary() && membersWith(index) < members) {
            interruption.check();
            long left = nanosMax - (nanoTime.getAsLong() - start);
            if (left <= 0) {
                return false;
            }
            interruption.park(this, Math.min(left, LOOK_NANOS));
        }
        return isWritablePrimary();
    }

    private long membersWith(long index) {
        return progress.get().stream()
                .filter(each -> each.matchIndex() >= index)
                .count();
    }

    // ---- what others are told

    @Override
    public String name() {
        return options.name();
    }

    @Override
    public boolean isWritablePrimary() {
        return view.get().isWritable;
    }

    @Override
    public boolean isReadable() {
        return isWritablePrimary() || follower == SECONDARY;
    }

    @Override
    public long topologyCounter() {
        return view.get().counter;
    }

    @Override
    public void awaitChange(long counter, long nanosMax, Interruption interruption) {
        long end = nanoTime.getAsLong() + nanosMax;
        waiting.add(Thread.currentThread());
        try {
            long left = nanosMax;
            while (left > 0 && topologyCounter() == counter) {
                interruption.check();
                interruption.park(this, left);
                left = end - nanoTime.getAsLong();
            }
            interruption.check();
        } finally {
            waiting.remove(Thread.currentThread());
        }
    }

    @Override
    public void describe(BsonWriter hello) {
        View now = view.get();
        long newest = transactions.visibleTime();
        long durable = transactions.durableTime();
        hello.startArray("hosts");
        options.members().forEach(hello::add);
        hello.end();
        hello.put("setName", options.name())
                .put("setVersion", 1)
                .put("secondary", !now.isWritable && follower == SECONDARY);
        String primary = now.primary;
        if (primary != null && (now.isWritable || !primary.equals(options.self()))) {
            hello.put("primary", primary);
        }
        hello.put("me", options.self());
        if (now.isWritable) {
            hello.put("electionId", new Value.Oid(new ObjectId(0x7fffffff, now.term)));
        }
        hello.startDocument("lastWrite");
        opTime(hello, "opTime", newest, now.term);
        hello.put("lastWriteDate", date(newest));
        opTime(hello, "majorityOpTime", durable, now.term);
        hello.put("majorityWriteDate", date(durable)).end();
    }

    private static void opTime(BsonWriter out, String field, long time, long term) {
        out.startDocument(field)
                .put("ts", new Value.Timestamp(time))
                .put("t", term)
                .end();
    }

    private static Value.Date date(long clusterTime) {
        return new Value.Date((clusterTime >>> 32) * 1000);
    }

    @Override
    public void status(BsonWriter reply) {
        View now = view.get();
        long newest = transactions.visibleTime();
        int majority = options.members().size() / 2 + 1;
        reply.put("set", options.name())
                .put("date", new Value.Date(clock.millis()))
                .put("myState", now.isWritable ? PRIMARY : follower)
                .put("term", now.term)
                .put("heartbeatIntervalMillis", 2000L)
                .put("majorityVoteCount", majority)
                .put("writeMajorityCount", majority)
                .put("votingMembersCount", options.members().size())
                .put("writableVotingMembersCount", options.members().size())
                .startDocument("optimes");
        opTime(reply, "lastCommittedOpTime", transactions.durableTime(), now.term);
        opTime(reply, "appliedOpTime", newest, now.term);
        opTime(reply, "durableOpTime", newest, now.term);
        reply.end().startArray("members");
        int id = 0;
        for (String each : options.members()) {
            boolean isSelf = each.equals(options.self());
            boolean isPrimary = isSelf ? now.isWritable : each.equals(now.primary);
            // Of the others this member knows who leads and no more.
            int state = isPrimary ? PRIMARY : isSelf ? follower : now.primary != null ? SECONDARY : UNKNOWN;
            reply.startDocument()
                    .put("_id", id++)
                    .put("name", each)
                    .put("health", 1.0)
                    .put("state", state)
                    .put("stateStr", text(state));
            if (isSelf) {
                reply.put("uptime", (clock.millis() - startedMillis) / 1000);
                opTime(reply, "optime", newest, now.term);
                reply.put("optimeDate", date(newest)).put("self", true);
            }
            reply.put("configVersion", 1).put("configTerm", now.term).end();
        }
        reply.end();
    }

    private static String text(int state) {
        return switch (state) {
            case PRIMARY -> "PRIMARY";
            case SECONDARY -> "SECONDARY";
            case RECOVERING -> "RECOVERING";
            case STARTUP2 -> "STARTUP2";
            default -> "UNKNOWN";
        };
    }

    @Override
    public void configuration(BsonWriter reply) {
        reply.startDocument("config")
                .put("_id", options.name())
                .put("version", 1)
                .put("term", view.get().term)
                .startArray("members");
        int id = 0;
        for (String each : options.members()) {
            reply.startDocument()
                    .put("_id", id++)
                    .put("host", each)
                    .put("arbiterOnly", false)
                    .put("buildIndexes", true)
                    .put("hidden", false)
                    .put("priority", 1)
                    .startDocument("tags")
                    .end()
                    .put("secondaryDelaySecs", 0L)
                    .put("votes", 1)
                    .end();
        }
        reply.end()
                .put("protocolVersion", 1L)
                .put("writeConcernMajorityJournalDefault", true)
                .startDocument("settings")
                .put("electionTimeoutMillis", (int) options.electionTimeout().toMillis())
                .end()
                .end();
    }
}

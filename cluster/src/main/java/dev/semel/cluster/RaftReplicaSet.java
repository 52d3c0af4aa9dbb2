package dev.semel.cluster;

import dev.semel.cluster.Peers.State;
import dev.semel.replication.Outcome;
import dev.semel.replication.RoleView;
import dev.semel.server.replica.OpTime;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.replica.SetAdministration;
import dev.semel.server.replica.SetConfig;
import dev.semel.server.replica.SetMember;
import dev.semel.server.replica.StoredConfig;
import dev.semel.server.replica.TopologyChanges;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A replica set of several members, as this one sees it. */
final class RaftReplicaSet implements ReplicaSet {
    /** A field of {@code hello} that MongoDB does not have. */
    static final String FROZEN = "frozen";

    /** By which name it is in its set, or will be. */
    static final String ME = "me";

    /** How often the progress of the members is looked at. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** How often an operation that waits for a barrier looks whether it is to stop. */
    private static final long CHECK_MS = 20;

    private final SetOptions options;
    private final Transactions transactions;
    private final LongSupplier applied;
    private final Engine engine;
    private final LongSupplier nanoTime;
    private final TopologyChanges changes;
    private final StoredConfig config;
    private final MemberStatus status;
    private final AtomicReference<View> view = new AtomicReference<>(View.UNKNOWN);
    private final SeenTimes seen;
    private volatile @Nullable SetAdministration administration;

    /** What is asked of the consensus engine. */
    interface Engine {
        /** What a linearizable read waits for. */
        Future<Outcome> barrier();

        /** How far the members are, on the primary. */
        List<RoleView.Progress> progress();
    }

    /**
     * What is known at a moment.
     *
     * @param primary the leader, which may not accept writes yet; null if none is known
     * @param isWritable whether this member accepts writes
     * @param follower what it is while it does not
     * @param isFrozen whether this member must not become primary for now
     * @param electedMillis when it became primary
     */
    record View(
            long term,
            @Nullable String primary,
            boolean isWritable,
            State follower,
            boolean isInMaintenance,
            boolean isFrozen,
            long electedMillis) {
        static final View UNKNOWN = new View(0, null, false, State.SECONDARY, false, false, 0);

        State state() {
            if (isWritable) {
                return State.PRIMARY;
            }
            return follower == State.SECONDARY && isInMaintenance ? State.RECOVERING : follower;
        }

        /** A primary is one for a single term: with the number of a later one, clients would take it for the newest. */
        View following(@Nullable String leader, long inTerm) {
            boolean stays = isWritable && inTerm == term;
            return new View(inTerm, leader, stays, follower, isInMaintenance, isFrozen, electedMillis);
        }

        /** Unless a later term has begun meanwhile. */
        View writable(String self, long inTerm, long now) {
            return inTerm < term ? this : new View(inTerm, self, true, follower, false, false, now);
        }

        View notWritable(String self) {
            String other = self.equals(primary) ? null : primary;
            return new View(term, other, false, follower, isInMaintenance, isFrozen, electedMillis);
        }

        View follower(State state) {
            return new View(term, primary, isWritable, state, isInMaintenance, isFrozen, electedMillis);
        }

        View frozen(boolean isOn) {
            return new View(term, primary, isWritable, follower, isInMaintenance, isOn, electedMillis);
        }

        View maintenance(boolean isOn) {
            return new View(term, primary, isWritable, follower, isOn, isFrozen, electedMillis);
        }
    }

    /**
     * As clients are to see it.
     *
     * @param applied the index of the newest entry that is applied here
     */
    RaftReplicaSet(
            SetOptions options,
            MemberClient client,
            Transactions transactions,
            LongSupplier applied,
            Engine engine,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.options = options;
        this.transactions = transactions;
        this.applied = applied;
        this.engine = engine;
        this.nanoTime = nanoTime;
        this.changes = new TopologyChanges(nanoTime);
        this.config = new StoredConfig(transactions, options.initial(), changes::changed);
        this.status = new MemberStatus(options, client, transactions, clock);
        this.seen = new SeenTimes(client, this, transactions, nanoTime);
    }

    void administeredBy(SetAdministration chosen) {
        administration = chosen;
    }

    // ---- what happens

    void leader(@Nullable String leader, long term) {
        change(now -> now.following(leader, term));
    }

    void writable(long term) {
        change(now -> now.writable(options.self(), term, status.now()));
    }

    /** It has no data yet, or waits for a checkpoint of the primary: nobody reads here. */
    void syncing(boolean isInitial) {
        follower(isInitial ? State.STARTUP2 : State.RECOVERING);
    }

    void synced() {
        follower(State.SECONDARY);
    }

    private void follower(State state) {
        if (view.get().follower != state) {
            change(now -> now.follower(state));
        }
    }

    void notWritable() {
        change(now -> now.notWritable(options.self()));
    }

    void frozen(boolean isOn) {
        change(now -> now.frozen(isOn));
    }

    void maintenance(boolean isOn) {
        change(now -> now.maintenance(isOn));
    }

    private void change(UnaryOperator<View> next) {
        view.updateAndGet(next);
        changes.changed();
    }

    View view() {
        return view.get();
    }

    StoredConfig stored() {
        return config;
    }

    SetConfig config() {
        return config.current();
    }

    /** What this member is; null if it does not belong to the set, not yet or not any more. */
    @Nullable
    SetMember self() {
        return config().member(options.self());
    }

    // ---- read and write concern

    @Override
    public void seen(long clusterTime) {
        seen.add(clusterTime);
    }

    /** From time to time: a read that waits for a time at which nothing is written must not wait for long. */
    void reachSeen() {
        seen.tend();
    }

    @Override
    public void confirmPrimary(Interruption interruption) {
        if (!(outcome(engine.barrier(), interruption) instanceof Outcome.Applied)) {
            throw new CommandException(ErrorCode.NotWritablePrimary, "not primary");
        }
    }

    /** Waits for it; fails as soon as the operation is to stop. */
    static Outcome outcome(Future<Outcome> barrier, Interruption interruption) {
        while (true) {
            interruption.check();
            try {
                return barrier.get(CHECK_MS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                // It takes longer: a primary that is cut off learns only after a while that it is none.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandException(ErrorCode.Interrupted, "operation was interrupted");
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public int dataBearingMembers() {
        return config().members().size();
    }

    @Override
    public boolean awaitMembers(int members, long nanosMax, Interruption interruption) {
        return await(those -> those.size() >= members, nanosMax, interruption);
    }

    @Override
    public boolean hasMode(String mode) {
        return config().settings().modes().containsKey(mode);
    }

    @Override
    public boolean awaitMode(String mode, long nanosMax, Interruption interruption) {
        return await(those -> config().satisfies(mode, each -> those.contains(each.host())), nanosMax, interruption);
    }

    /** Until the members that have everything up to now are enough. */
    private boolean await(Predicate<Set<String>> areEnough, long nanosMax, Interruption interruption) {
        long index = applied.getAsLong();
        long start = nanoTime.getAsLong();
        return await(() -> areEnough.test(membersWith(index, nanoTime.getAsLong() - start)), nanosMax, interruption);
    }

    private boolean await(BooleanSupplier condition, long nanosMax, Interruption interruption) {
        long start = nanoTime.getAsLong();
        while (!condition.getAsBoolean()) {
            if (!isWritablePrimary()) {
                throw new CommandException(
                        ErrorCode.PrimarySteppedDown, "Primary stepped down while waiting for replication");
            }
            interruption.check();
            long left = nanosMax - (nanoTime.getAsLong() - start);
            if (left <= 0) {
                return false;
            }
            interruption.park(this, Math.min(left, LOOK_NANOS));
        }
        return true;
    }

    /** A delayed member acknowledges nothing before it has applied it. */
    private Set<String> membersWith(long index, long waitedNanos) {
        SetConfig known = config();
        return engine.progress().stream()
                .filter(each -> each.matchIndex() >= index)
                .map(RoleView.Progress::member)
                .filter(each -> delayNanos(known.member(each)) <= waitedNanos)
                .collect(Collectors.toSet());
    }

    private static long delayNanos(@Nullable SetMember member) {
        return member == null ? 0 : member.delay().toNanos();
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
        View now = view.get();
        return self() != null && (now.isWritable || now.state() == State.SECONDARY);
    }

    @Override
    public long topologyCounter() {
        return changes.counter();
    }

    @Override
    public void awaitChange(long counter, long nanosMax, Interruption interruption) {
        changes.await(counter, nanosMax, interruption);
    }

    @Override
    public boolean describe(BsonWriter hello) {
        View now = view.get();
        SetMember self = self();
        hello.put(SameFormat.FIELD, Invitation.FORMAT);
        if (self == null) {
            hello.put("secondary", false)
                    .put("info", "Does not have a valid replica set config")
                    .put("isreplicaset", true)
                    .put(ME, options.self());
            config().writeId(hello);
            return false;
        }
        config().describe(hello, self);
        hello.put("secondary", now.state() == State.SECONDARY);
        String primary = now.primary;
        if (primary != null && (now.isWritable || !primary.equals(options.self()))) {
            hello.put("primary", primary);
        }
        if (now.isWritable) {
            hello.put("electionId", OpTime.electionId(now.term));
        }
        if (now.isFrozen) {
            // For the other members, which then leave their office to somebody else.
            hello.put(FROZEN, true);
        }
        OpTime.writeLast(
                hello,
                new OpTime(transactions.visibleTime(), now.term),
                new OpTime(transactions.durableTime(), now.term));
        return now.isWritable;
    }

    @Override
    public void status(BsonWriter reply) {
        status.write(reply, config(), view.get());
    }

    @Override
    public void configuration(BsonWriter reply) {
        if (self() == null && config().members().isEmpty()) {
            throw new CommandException(ErrorCode.NotYetInitialized, "no replset config has been received");
        }
        reply.put("config", config().toDocument());
    }

    @Override
    public SetAdministration administration() {
        SetAdministration known = administration;
        if (known == null) {
            throw new CommandException(ErrorCode.NotYetInitialized, "the server is starting");
        }
        return known;
    }
}

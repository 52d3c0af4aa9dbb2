package dev.semel.store;

import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.lock.LockStatistics;
import dev.semel.store.lock.LockTable;
import dev.semel.store.lock.Locks;
import dev.semel.wire.memory.MemoryAccount;
import dev.semel.wire.memory.MemoryPart;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The database as the server sees it: snapshots to read from and transactions to write with, over a {@link Store}. It
 * composes the engine, the lock table, the commit log and what transactions need to know of each other.
 */
public final class Transactions implements AutoCloseable {
    /** A commit with at least this many documents and index entries is staged: fewer are written quickly. */
    private static final long STAGED_ROWS_MIN = 1 << 15;

    /** How long to wait for the previous large commit; after that, a commit is not staged. */
    private static final long STAGING_WAIT_SECS = 10;

    /** After how many more keys the committer looks how far back open transactions reach. */
    private static final int CONFLICT_SWEEP_KEYS = 1_000;

    private final Store store;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Locks locks;
    private final ClusterClock clusterClock;
    private final Versions versions;
    private final Conflicts conflicts;
    private final SnapshotChanges changes;
    private final Applier applier;
    private final CommitLog log;
    private final Gathering gathering;
    private final WriteBarrier barrier;
    private final Semaphore staging = new Semaphore(1);
    private final Map<Long, Transaction> live = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicLong largeCommits = new AtomicLong();
    private final MemoryPart writeSets;

    /** Where transactions spill to; null if they cannot. */
    private final @Nullable ScratchSpace scratchSpace;

    private final @Nullable MemoryPart data;
    private final LongAdder committed = new LongAdder();
    private final LongAdder rolledBack = new LongAdder();
    private final LongAdder writeConflicts = new LongAdder();
    private volatile TransactionOptions options;

    /** Touched by the committer alone. */
    private int nextConflictSweep;

    private Transactions(
            Store store,
            TransactionOptions options,
            MemoryAccount memory,
            InstantSource clock,
            LongSupplier nanoTime,
            Consumer<Throwable> fatal,
            @Nullable Locks locks,
            CommitLog.Opener logs,
            @Nullable ScratchSpace scratchSpace) {
        this.store = store;
        this.options = options;
        this.writeSets = memory.part(
                "writeSets", "transactionBytesTotalMax", () -> options().transactionBytesTotalMax());
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.locks = locks != null
                ? locks
                : new LockTable(
                        nanoTime,
                        clock,
                        Transaction.COLLECTIONS,
                        Table.CATALOG.index(),
                        () -> options().lockBytesMax());
        this.barrier = new WriteBarrier(nanoTime);
        this.gathering = new Gathering(this.locks::conflicts);
        Undo.takeBack(store);
        long last = store.position().clusterTime();
        this.clusterClock = new ClusterClock(clock, last);
        this.data = store.isPersistent()
                ? null
                : memory.part("data", "inMemoryBytesMax", () -> options().inMemoryBytesMax());
        this.versions = new Versions(store.snapshot(last), store.heapBytes(), nanoTime, this::options, data);
        this.conflicts = new Conflicts(() -> options().conflictBytesMax(), last);
        this.changes = new SnapshotChanges(versions, conflicts);
        memory.gauge("conflicts", "conflictBytesMax", () -> options().conflictBytesMax(), conflicts::bytes);
        memory.gauge(
                "locks",
                "lockBytesMax",
                () -> options().lockBytesMax(),
                () -> this.locks.statistics().bytes());
        this.applier = new Applier(store, versions);
        this.log = logs.open(store, new Sequencer(clusterClock, store.position()), applier, fatal);
        this.scratchSpace = store.isPersistent() ? scratchSpace : null;
    }

    /**
     * Takes over the store and closes it in the end. A failure to write or sync goes to {@code fatal}, which must end the
     * process: what was answered may not be on disk.
     */
    public static Transactions open(
            Store store,
            TransactionOptions options,
            InstantSource clock,
            LongSupplier nanoTime,
            Consumer<Throwable> fatal) {
        return open(store, options, MemoryAccount.unlimited(), clock, nanoTime, fatal, null, CommitLog.local(), null);
    }

    /**
     * The same as one of several that share an account of memory.
     *
     * @param locks another lock table, for tests that prove that they notice a weaker one; null for the real one
     * @param logs makes the commit log, {@link CommitLog#local} for one node
     * @param scratchSpace for what transactions have written and their memory does not hold; null to refuse it. Not used
     *     where the data is in memory
     */
    public static Transactions open(
            Store store,
            TransactionOptions options,
            MemoryAccount memory,
            InstantSource clock,
            LongSupplier nanoTime,
            Consumer<Throwable> fatal,
            @Nullable Locks locks,
            CommitLog.Opener logs,
            @Nullable ScratchSpace scratchSpace) {
        return new Transactions(store, options, memory, clock, nanoTime, fatal, locks, logs, scratchSpace);
    }

    /** Notifies a listener of all commits from now on, of every node. */
    public void listen(CommitListener listener) {
        applier.listen(listener);
    }

    /** The newest visible state. */
    public Snapshot snapshot() {
        return new VersionSnapshot(versions.acquireNewest());
    }

    /** The same, for a reader who names its time, so that {@link #snapshotAt} finds it again for the whole window. */
    public Snapshot namedSnapshot() {
        return new VersionSnapshot(versions.acquireNamed());
    }

    /**
     * The state at a cluster time that is visible ({@link #awaitVisible}); {@code SnapshotTooOld} beyond the window.
     * Between two commits it is the state after the first; within a group of commits, that after the group.
     */
    public Snapshot snapshotAt(long clusterTime) {
        return new VersionSnapshot(versions.acquireAt(clusterTime));
    }

    /** A transaction that sees what its isolation says from now on. The interruption is that of the current statement. */
    public Transaction begin(Isolation isolation, LockPolicy policy, Interruption interruption) {
        return begin(isolation, policy, interruption, null);
    }

    /** A {@link Isolation#SNAPSHOT} transaction that sees the state at a cluster time, as {@link #snapshotAt} has it. */
    public Transaction beginAt(long clusterTime, LockPolicy policy, Interruption interruption) {
        return begin(Isolation.SNAPSHOT, policy, interruption, versions.acquireAt(clusterTime));
    }

    private Transaction begin(
            Isolation isolation, LockPolicy policy, Interruption interruption, @Nullable Version version) {
        Version base = isolation == Isolation.SNAPSHOT && version == null ? versions.acquireNewest() : version;
        Transaction transaction =
                new Transaction(this, ids.incrementAndGet(), isolation, policy, interruption, clock.instant(), base);
        live.put(transaction.id(), transaction);
        return transaction;
    }

    /** From time to time, not on a virtual thread: lets go of instants that are too old, and of what only they showed. */
    public void reclaim() {
        versions.forgetOld();
        store.reclaim();
    }

    /** Of the newest state that {@link #snapshot} shows. */
    public long visibleTime() {
        return versions.visible().reached();
    }

    /** Whether other nodes apply the same commits, so that each takes a while. */
    public boolean areShared() {
        return log.isShared();
    }

    /** Everything up to here survives a power loss; of a memory store that is everything visible. */
    public long durableTime() {
        return log.durableTime();
    }

    public void awaitVisible(long clusterTime, Interruption interruption) {
        versions.visible().await(clusterTime, interruption);
    }

    /** What a reply under {@code majority} or {@code j: true} waits for, with the newest commit it has seen. */
    public void awaitDurable(long clusterTime, Interruption interruption) {
        log.awaitDurable(clusterTime, interruption);
    }

    /** The same without waiting: {@code wake} is called once, from any thread, when it is durable or never will be. */
    public void whenDurable(long clusterTime, Runnable wake) {
        log.whenDurable(clusterTime, wake);
    }

    /** The same for a limited time; whether it is durable. */
    public boolean awaitDurable(long clusterTime, Interruption interruption, Duration atMost) {
        long end = nanoTime.getAsLong() + atMost.toNanos();
        log.durabilityWanted(clusterTime);
        return log.awaitDurableAfter(clusterTime - 1, interruption, () -> end - nanoTime.getAsLong());
    }

    /**
     * Waits until something later than this cluster time is durable, for a limited time; whether it is. This does not cause
     * a sync: a follower of the log sees a commit when it has become durable for other reasons.
     */
    public boolean awaitDurableAfter(long clusterTime, Interruption interruption, Duration atMost) {
        long end = nanoTime.getAsLong() + atMost.toNanos();
        return log.awaitDurableAfter(clusterTime, interruption, () -> end - nanoTime.getAsLong());
    }

    /** The clock of its waits, for callers that wait for several conditions in turn. */
    public long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** Moves the cluster clock: every commit from now on is later than this time, which a client or a member has seen. */
    public void observe(long clusterTime) {
        clusterClock.observe(clusterTime);
    }

    /** See {@link CommitLog#applyLeft}. */
    public boolean applyLeft() {
        return log.applyLeft();
    }

    /** While commits are held back: returns when those before are visible, but for what waits for other nodes. */
    public void applyAll() {
        log.applyAll();
    }

    /** A commit that changes nothing: from then on the database is at a time that is later than all that were observed. */
    public void commitNothing(Interruption interruption) {
        LockPolicy noLocks = new LockPolicy(LockPolicy.Kind.STATEMENT, 0);
        try (Transaction nothing = begin(Isolation.STATEMENT, noLocks, interruption)) {
            nothing.append((draft, all) -> {});
            nothing.commit().awaitApplied();
        }
    }

    public TransactionOptions options() {
        return options;
    }

    public void options(TransactionOptions changed) {
        options = changed;
    }

    public List<LiveTransaction> live() {
        return live.values().stream().map(Transaction::describe).toList();
    }

    /** The waiting requests and what they wait for, oldest first. */
    public List<PendingRequest> pendingRequests() {
        return locks.pending().stream()
                .map(each -> new PendingRequest(
                        each.requester(),
                        each.blockers(),
                        each.since(),
                        Transaction.locked(each.space(), each.range(), each.mode())))
                .toList();
    }

    /** Up to this many locks of a live transaction; none if it has ended. */
    public List<LockedRange> locksOf(long transactionId, int limit) {
        Transaction transaction = live.get(transactionId);
        return transaction == null ? List.of() : transaction.locks(limit);
    }

    public LockStatistics lockStatistics() {
        return locks.statistics();
    }

    public Statistics statistics() {
        return new Statistics(
                committed.sum(),
                rolledBack.sum(),
                writeConflicts.sum(),
                live.size(),
                writeSets.bytes(),
                versions.retainedCount(),
                log.groups(),
                log.syncs());
    }

    /** The engine, for sizes and figures. */
    public Store store() {
        return store;
    }

    /** By which commits can be held back. */
    public WriteBarrier barrier() {
        return barrier;
    }

    /** Completes what was committed and closes the store. Transactions still open are rolled back by being forgotten. */
    @Override
    public void close() {
        barrier.openForEver();
        try (store) {
            log.close();
            live.values().forEach(Transaction::removeSpilled);
            versions.close();
        }
    }

    Locks locks() {
        return locks;
    }

    Gathering gathering() {
        return gathering;
    }

    Versions versions() {
        return versions;
    }

    SnapshotChanges changes() {
        return changes;
    }

    CommitLog log() {
        return log;
    }

    /** The data, where that is in the heap. */
    @Nullable
    MemoryPart data() {
        return data;
    }

    /** What all open transactions have written. */
    MemoryPart writeSets() {
        return writeSets;
    }

    @Nullable
    ScratchSpace scratchSpace() {
        return scratchSpace;
    }

    void conflictFound() {
        writeConflicts.increment();
    }

    void ended(Transaction transaction, boolean successfully) {
        live.remove(transaction.id());
        (successfully ? committed : rolledBack).increment();
    }

    /** The roots of all open transactions but one. */
    List<Transaction> others(Transaction self) {
        return live.values().stream().filter(each -> each != self).toList();
    }

    /** By the committer: notes a commit's keys for transactions that began before it. */
    void noteConflicts(Transaction committing, Writes writes, long clusterTime) {
        if (live.size() <= 1 || writes.spilled() != null) {
            // Others with older snapshots compare what they see with what is there now.
            conflicts.forgetThrough(clusterTime);
        } else {
            if (isLarge(writes)) {
                conflicts.forgetThrough(oldestBase());
                conflicts.addLarge(writes, clusterTime);
                return;
            }
            writes.forEachConflictKey((table, key) -> conflicts.add(table, key, clusterTime));
            if (conflicts.size() > nextConflictSweep) {
                conflicts.forgetThrough(oldestBase());
                nextConflictSweep = conflicts.size() + CONFLICT_SWEEP_KEYS;
            }
        }
    }

    static boolean isLarge(Writes writes) {
        return writes.rows() >= STAGED_ROWS_MIN;
    }

    /** The documents and index entries of a large commit, built beside the commits of others; null if it is not to be. */
    CommitDraft.@Nullable StagedRows stage(Writes writes) {
        if (!isLarge(writes) || !takeStaging()) {
            return null;
        }
        try {
            Batch rows = new Batch();
            writes.addTo(rows.target(), Transactions::isStaged);
            return new CommitDraft.StagedRows(rows, store.stage(rows), null);
        } catch (Throwable e) {
            staging.release();
            throw e;
        }
    }

    /** The same where the heap does not hold them, with the rest of the commit. */
    CommitDraft stageSpilled(WriteSet written) {
        written.spillRows();
        staging.acquireUninterruptibly();
        SpilledCommit commit = new SpilledCommit(written, clusterClock, log, largeCommits.incrementAndGet());
        try {
            return commit.draft(store.stage(commit));
        } catch (Throwable e) {
            clusterClock.free();
            staging.release();
            commit.abandon();
            throw e;
        }
    }

    /** Before this node commits anything large in a term: what others had begun in earlier ones will not be completed. */
    public void removeChunks(long beforeTerm, Interruption interruption) {
        // Without looking whether there are any: that takes seconds where many are gone and not yet out of the files.
        LockPolicy noLocks = new LockPolicy(LockPolicy.Kind.STATEMENT, 0);
        try (Transaction removing = begin(Isolation.STATEMENT, noLocks, interruption)) {
            removing.deleteRange(Table.CHUNKS, Chunks.before(beforeTerm));
            removing.commit().awaitApplied();
        }
    }

    private boolean takeStaging() {
        try {
            return staging.tryAcquire(STAGING_WAIT_SECS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Their keys are locked, or belong to what is. */
    static boolean isStaged(Table table) {
        return table == Table.DOCUMENTS || table == Table.INDEXES;
    }

    void stagingEnded(Staged staged) {
        staged.close();
        clusterClock.free();
        staging.release();
    }

    /** Earlier changes are not asked for. A transaction that is just beginning may be missed; it compares instead. */
    private long oldestBase() {
        long oldest = visibleTime();
        for (Transaction each : live.values()) {
            long base = each.baseTime(oldest);
            oldest = Long.compareUnsigned(base, oldest) < 0 ? base : oldest;
        }
        return oldest;
    }

    static byte[] collectionKey(long collection) {
        return ByteBuffer.allocate(Long.BYTES).putLong(collection).array();
    }
}

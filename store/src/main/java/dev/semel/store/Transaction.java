package dev.semel.store;

import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.store.lock.LockOwner;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.memory.Reservation;
import dev.semel.wire.thread.MustWait;
import dev.semel.wire.thread.SharedThread;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work: reads, locks and private writes that become visible together, or not at all. One statement, a session
 * transaction and a TokuMX transaction differ only in their {@link Isolation} and {@link LockPolicy}. For one thread at a
 * time; which thread may change between statements.
 *
 * <p>Nothing is locked by reading or writing as such: what a statement locks is the caller's decision and comes first.
 */
public final class Transaction implements AutoCloseable, Originator {
    /** Behind the tables, the key space of whole collections. */
    static final int COLLECTIONS = Table.values().length;

    private final Transactions owner;
    private final LockOwner locks;
    private final Isolation isolation;
    private final Instant begun;
    private Interruption interruption;

    /** What reads see; null until the first one of a statement. */
    private @Nullable Version base;

    private final WriteSet written;

    /** What {@code readUncommitted} shows to others: of each document all rows, or none. */
    private volatile Writes published = Writes.NONE;

    private final List<Runnable> releases = new ArrayList<>(0);
    private final List<Runnable> undoings = new ArrayList<>(0);

    /** A large commit's rows, prepared beside. */
    private CommitDraft.@Nullable StagedRows staged;

    private volatile State state = State.OPEN;

    enum State {
        OPEN,
        COMMITTING,
        ENDED
    }

    Transaction(
            Transactions owner,
            long id,
            Isolation isolation,
            LockPolicy policy,
            Interruption interruption,
            Instant begun,
            @Nullable Version base) {
        this.owner = owner;
        this.locks = new LockOwner(id, policy);
        this.isolation = isolation;
        this.interruption = interruption;
        this.begun = begun;
        this.base = base;
        this.written = new WriteSet(owner);
    }

    public long id() {
        return locks.id();
    }

    public Isolation isolation() {
        return isolation;
    }

    /** How it waits for conflicting locks. */
    public LockPolicy.Kind kind() {
        return locks.policy().kind();
    }

    /** Sets its lock timeout. By the thread that works with it. */
    public void lockTimeout(Duration timeout) {
        locks.policy(LockPolicy.of(kind(), timeout));
    }

    public boolean isOpen() {
        return state == State.OPEN;
    }

    /** The next statement of a longer transaction has its own deadline, and can be killed on its own. */
    public void runUnder(Interruption statement) {
        interruption = statement;
        written.beginStatement();
    }

    // Reading

    /**
     * What this transaction sees now, to be scanned while the transaction goes on writing: writes made after this call do
     * not show. The caller closes it.
     */
    public Snapshot view() {
        checkOpen();
        return switch (isolation) {
            case STATEMENT, SNAPSHOT -> over(base().acquire());
            case SERIALIZABLE -> over(rebase().acquire());
            case READ_UNCOMMITTED -> {
                UncommittedReads others = new UncommittedReads(owner.others(this));
                yield written.over(others.over(new VersionSnapshot(rebase().acquire())));
            }
        };
    }

    /** The newest committed state with this transaction's writes on top: what locked keys are judged by. */
    public Snapshot latest() {
        checkOpen();
        return over(owner.versions().acquireNewest());
    }

    /** One key of {@link #view}, writes up to now included. */
    public byte @Nullable [] get(Table table, byte[] key) {
        checkOpen();
        byte[] own = written.writes().get(table, key);
        if (own != null) {
            return Writes.isDeleted(own) ? null : own;
        }
        if (isolation == Isolation.STATEMENT || isolation == Isolation.SNAPSHOT) {
            return base().engine.get(table, key);
        }
        try (Snapshot view = view()) {
            return view.get(table, key);
        }
    }

    /** One key of {@link #latest}. */
    public byte @Nullable [] latest(Table table, byte[] key) {
        checkOpen();
        byte[] own = written.writes().get(table, key);
        if (own != null) {
            return Writes.isDeleted(own) ? null : own;
        }
        Version base = this.base;
        if (base != null && owner.versions().isNewest(base)) {
            return base.engine.get(table, key);
        }
        Version newest = owner.versions().acquireNewest();
        try {
            return newest.engine.get(table, key);
        } finally {
            newest.release();
        }
    }

    /**
     * Whether another transaction has committed a change of this document, or of this unique value ({@link #mark}), that the
     * transaction's snapshot does not show. Call it after locking the key; before, the answer may be outdated at once.
     */
    public boolean changedSinceSnapshot(Table table, byte[] key) {
        return owner.changes().contain(base, table, key);
    }

    /** First committer wins: {@code WriteConflict} if {@link #changedSinceSnapshot}. */
    public void requireUnchanged(Table table, byte[] key) {
        if (changedSinceSnapshot(table, key)) {
            throw writeConflict();
        }
    }

    /** The error for a transaction that would have to change what it cannot see; how it continues depends on the dialect. */
    public CommandException writeConflict() {
        return writeConflict(
                kind() == LockPolicy.Kind.TOKUMX_TRANSACTION
                        ? "Write conflict: a change has been committed since this transaction's snapshot"
                        : "Caused by :: Write conflict during plan execution and yielding is disabled");
    }

    /** The same with what is in its way. */
    public CommandException writeConflict(String why) {
        owner.conflictFound();
        String message = kind() == LockPolicy.Kind.TOKUMX_TRANSACTION
                ? why + ". Roll the transaction back and run it again"
                : why + ". :: Please retry your operation or multi-document transaction.";
        return new CommandException(ErrorCode.WriteConflict, "%s", message).withLabel("TransientTransactionError");
    }

    /**
     * Whether anything in a range has been committed since this transaction's view was opened: a reader that locks what
     * it has read asks after locking, and reads again if so. Compares the entries, so the range should be short.
     */
    public boolean changedSince(Snapshot view, Table table, KeyRange range) {
        return owner.changes().contain(view, table, range);
    }

    /**
     * A plain statement starts again: forgets its writes, keeps its locks, and reads from a new snapshot. For when a
     * candidate, once locked, turns out to have changed after the snapshot.
     */
    public void refresh() {
        refresh(new Savepoint(Writes.NONE, 0, 0, Tallies.Mark.NONE, 0));
    }

    /**
     * The same where several plain statements share a transaction, each with its own instant: what was written up to
     * the savepoint stays, and what comes after it starts again, with a snapshot that is taken at the next read. What
     * is written is locked, so a newer snapshot does not contradict it.
     */
    public void refresh(Savepoint savepoint) {
        checkOpen();
        if (isolation != Isolation.STATEMENT) {
            throw new IllegalStateException("only a plain statement can begin anew");
        }
        rollbackTo(savepoint);
        releaseBase();
    }

    Writes published() {
        return published;
    }

    State state() {
        return state;
    }

    private Version base() {
        Version version = base;
        return version != null ? version : rebase();
    }

    private Version rebase() {
        Version newest = owner.versions().acquireNewest();
        Version old = base;
        base = newest;
        if (old != null) {
            old.release();
        }
        return newest;
    }

    private Snapshot over(Version acquired) {
        return written.over(new VersionSnapshot(acquired));
    }

    // Locking

    public void lockShared(Table table, byte[] key) {
        lock(table, key, LockMode.SHARED);
    }

    public void lockExclusive(Table table, byte[] key) {
        owner.barrier().await(interruption);
        lock(table, key, LockMode.EXCLUSIVE);
    }

    public void lockShared(Table table, KeyRange range) {
        lock(table, range, LockMode.SHARED);
    }

    public void lockExclusive(Table table, KeyRange range) {
        owner.barrier().await(interruption);
        lock(table, range, LockMode.EXCLUSIVE);
    }

    /** Readers and writers of a collection take an intention lock; a change of its catalog entry locks it as a whole. */
    public void lockCollection(long collection, LockMode mode) {
        checkOpen();
        if (mode == LockMode.INTENT_EXCLUSIVE || mode == LockMode.EXCLUSIVE) {
            owner.barrier().await(interruption);
        }
        owner.locks().lock(locks, COLLECTIONS, Transactions.collectionKey(collection), mode, interruption);
    }

    private void lock(Table table, byte[] key, LockMode mode) {
        checkOpen();
        owner.locks().lock(locks, table.index(), key, mode, interruption);
    }

    private void lock(Table table, KeyRange range, LockMode mode) {
        checkOpen();
        if (!range.isEmpty()) {
            owner.locks().lock(locks, table.index(), range, mode, interruption);
        }
    }

    List<LockedRange> locks(int limit) {
        return owner.locks().held(locks, limit).stream()
                .map(each -> locked(each.space(), each.range(), each.mode()))
                .toList();
    }

    static LockedRange locked(int space, KeyRange range, LockMode mode) {
        return new LockedRange(space == COLLECTIONS ? null : Table.at(space), range, mode);
    }

    // Writing

    /** The arrays must not change afterwards. */
    public void put(Table table, byte[] key, byte[] value) {
        checkOpen();
        written.put(table, key, value);
    }

    public void delete(Table table, byte[] key) {
        checkOpen();
        written.delete(table, key);
    }

    /** Notes that a unique value (its key without the id) is added or removed, for {@link #changedSinceSnapshot}. */
    public void mark(Table table, byte[] key) {
        checkOpen();
        written.mark(table, key);
    }

    /**
     * Removes everything in a range at commit, and what this transaction has written there. The transaction's own views and
     * other transactions' conflict checks ignore what others have written.
     */
    public void deleteRange(Table table, KeyRange range) {
        checkOpen();
        written.deleteRange(table, range);
    }

    /**
     * Removes everything in a range as {@link #deleteRange} does, but in the engine's own time. For data that nobody reads or
     * writes who sees the commit, such as a dropped collection's.
     */
    public void retire(Table table, KeyRange range) {
        checkOpen();
        written.retire(table, range);
    }

    /** Memory for what is made of a document before it is written, which the caller gives back; refused if there is none. */
    public Reservation reserve(long bytes) {
        checkOpen();
        return written.reserveBeside(bytes);
    }

    /** Adds to the commit's record what no view shows before the commit: rows that name its time, and facts. */
    public void append(RecordPart part) {
        checkOpen();
        written.append(part);
    }

    /** A change of a document: by how much it makes its collection larger. */
    public void tally(int collection, Namespace namespace, long documents, long bytes) {
        checkOpen();
        written.tally(collection, namespace, documents, bytes);
    }

    /** By how much this transaction makes a collection larger. */
    public SizeChange tallied(int collection) {
        return written.tallied(collection);
    }

    /**
     * Runs when the transaction ends, however it does, just before its locks are released: for what is claimed in memory as
     * long as it is open. Savepoints do not undo it. What a commit changes in memory is described by {@link Fact}s instead.
     */
    public void onRelease(Runnable release) {
        checkOpen();
        releases.add(release);
    }

    /** The same, only if nothing is committed: for what was created in memory before the commit that announces it. */
    public void onRollback(Runnable undoing) {
        checkOpen();
        undoings.add(undoing);
    }

    public Savepoint savepoint() {
        checkOpen();
        return written.savepoint();
    }

    /** Undoes what was written since. Locks stay: what a failed statement has seen must not change under the next one. */
    public void rollbackTo(Savepoint savepoint) {
        checkOpen();
        written.rollbackTo(savepoint);
        published = written.writes();
    }

    /**
     * What is written by now is complete and may be read as uncommitted data. To be called after the last row of
     * a document.
     */
    public void publish() {
        checkOpen();
        published = written.writes();
    }

    public boolean hasWrites() {
        return !written.isEmpty();
    }

    // Ending

    /**
     * Hands everything to the commit log. The transaction is over for its user, whatever comes of it; only the returned
     * commit knows. Interruption does not count from here on.
     */
    public Commit commit() {
        checkOpen();
        if (!hasWrites()) {
            long seen = owner.visibleTime();
            end(true);
            return Commit.empty(owner.log(), seen);
        }
        if (written.hasSpilled() || Transactions.isLarge(written.writes())) {
            // To prepare so much takes long.
            MustWait.check();
        }
        owner.barrier().enter(interruption);
        try {
            SharedThread.goThrough();
            return append();
        } finally {
            owner.barrier().leave();
        }
    }

    private Commit append() {
        written.reserveForCommit();
        CommitDraft draft = draft();
        published = written.writes();
        state = State.COMMITTING;
        releaseBase();
        try {
            return owner.log().append(draft, this);
        } catch (CommandException refused) {
            end(false);
            throw refused;
        }
    }

    private CommitDraft draft() {
        if (written.hasSpilled()) {
            CommitDraft draft = owner.stageSpilled(written);
            staged = draft.stagedRows();
            return draft;
        }
        if (written.canBeStaged()) {
            staged = owner.stage(written.writes());
        }
        return written.draft(staged);
    }

    /** Undoes everything and releases the locks; does nothing after the end. */
    public void rollback() {
        if (state == State.OPEN) {
            end(false);
        }
    }

    /** {@link #rollback}, unless committed. */
    @Override
    public void close() {
        rollback();
    }

    @Override
    public boolean gathersOthers() {
        return owner.gathering().isWorthwhile();
    }

    private void end(boolean successfully) {
        state = State.ENDED;
        releaseBase();
        if (!successfully) {
            undoings.forEach(Runnable::run);
        }
        undoings.clear();
        releases.forEach(Runnable::run);
        releases.clear();
        written.clear();
        published = Writes.NONE;
        CommitDraft.StagedRows rows = staged;
        staged = null;
        if (rows != null) {
            owner.stagingEnded(rows.prepared());
        }
        owner.locks().releaseAll(locks);
        owner.ended(this, successfully);
    }

    /** At the end of all: nothing asks for it any more. */
    void removeSpilled() {
        written.clear();
    }

    private void releaseBase() {
        Version version = base;
        base = null;
        if (version != null) {
            version.release();
        }
    }

    private void checkOpen() {
        if (state != State.OPEN) {
            throw new IllegalStateException("the transaction has ended");
        }
    }

    /** The cluster time that its reads see; 0 if there is none, or each read sees another. */
    public long readTime() {
        return isolation == Isolation.SNAPSHOT ? baseTime(0) : 0;
    }

    /** Of its snapshot, if it has one. */
    long baseTime(long otherwise) {
        Version version = base;
        return version == null ? otherwise : version.clusterTime;
    }

    LiveTransaction describe() {
        return new LiveTransaction(
                id(), isolation, locks.policy().kind(), begun, written.heapBytes(), baseTime(owner.visibleTime()));
    }

    // For the commit log

    @Override
    public void applying(long clusterTime) {
        owner.noteConflicts(this, written.writes(), clusterTime);
    }

    @Override
    public void applied() {
        end(true);
    }

    @Override
    public void lost() {
        end(false);
    }
}

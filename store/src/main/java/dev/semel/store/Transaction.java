package dev.semel.store;

import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.store.lock.LockOwner;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.tree.TreeCursor;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.memory.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A unit of work: reads, locks and private writes that become visible together, or not at all. One statement, a session
 * transaction and a TokuMX transaction differ only in their {@link Isolation} and {@link LockPolicy}. For one thread at a
 * time; which thread may change between statements.
 *
 * <p>Nothing is locked by reading or writing as such: what a statement locks is the caller's decision and comes first.
 */
public final class Transaction implements AutoCloseable, Proposal {
    /** Behind the tables, the key space of whole collections. */
    static final int COLLECTIONS = Table.values().length;

    private static final long DATA_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long WRITE_SET_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Transactions owner;
    private final LockOwner locks;
    private final Isolation isolation;
    private final Instant begun;
    private Interruption interruption;

    /** What reads see; null until the first one of a statement. */
    private @Nullable Version base;

    private Writes writes = Writes.NONE;

    /** What {@code readUncommitted} shows to others: of each document all rows, or none. */
    private volatile Writes published = Writes.NONE;

    private final List<LateEntry> lateEntries = new ArrayList<>(2);
    private final Tallies tallies = new Tallies();
    private final List<RemovedRange> removedRanges = new ArrayList<>(0);
    private final List<TransactionEnd> ends = new ArrayList<>(0);
    private final Reservation memory;

    /** What the late entries take. */
    private long lateBytes;

    /** Of what this transaction has overwritten of its own: what a savepoint or an open view may still show. */
    private long supersededBytes;

    /** What was written when the last savepoint was taken: no more than that can be kept by it. */
    private long savedBytes;

    private final AtomicInteger openViews = new AtomicInteger();

    /** What the commit may add to the data, where that is in the heap. */
    private @Nullable Reservation growth;

    /** A large commit's rows, prepared beside. */
    private @Nullable Staged staged;

    /** Of this transaction's own commit; 0 as long as there is none. */
    private long committedAt;

    private volatile State state = State.OPEN;

    private enum State {
        OPEN,
        COMMITTING,
        ENDED
    }

    private record RemovedRange(Table table, KeyRange range) {}

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
        this.memory = owner.writeSets().open();
    }

    public long id() {
        return locks.id();
    }

    public Isolation isolation() {
        return isolation;
    }

    /** Which rules it follows where others are in its way. */
    public LockPolicy.Kind kind() {
        return locks.policy().kind();
    }

    /** From now on it waits for a lock for so long. By the thread that works with it. */
    public void lockTimeout(Duration timeout) {
        locks.policy(LockPolicy.of(kind(), timeout));
    }

    public boolean isOpen() {
        return state == State.OPEN;
    }

    /** The next statement of a longer transaction has a deadline of its own, and can be killed on its own. */
    public void runUnder(Interruption statement) {
        interruption = statement;
        if (openViews.get() == 0) {
            supersededBytes = 0;
            savedBytes = 0;
        }
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
            case READ_UNCOMMITTED -> uncommitted();
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
        byte[] own = writes.get(table, key);
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
        byte[] own = writes.get(table, key);
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
     * Whether somebody has committed a change of this document, or of this unique value ({@link #mark}), that the
     * transaction's snapshot does not show. To be asked after the key is locked; before, the answer may be old at once.
     */
    public boolean changedSinceSnapshot(Table table, byte[] key) {
        Version base = this.base;
        if (base == null || owner.versions().isNewest(base)) {
            return false;
        }
        return switch (owner.conflicts().changedSince(table, key, base.clusterTime)) {
            case UNCHANGED -> false;
            case CHANGED -> true;
            case UNKNOWN ->
                table == Table.DOCUMENTS
                        ? !Arrays.equals(base.engine.get(table, key), latestCommitted(table, key))
                        : differs(base, table, KeyRange.prefix(key));
        };
    }

    /** First committer wins: {@code WriteConflict} if {@link #changedSinceSnapshot}. */
    public void requireUnchanged(Table table, byte[] key) {
        if (changedSinceSnapshot(table, key)) {
            throw writeConflict();
        }
    }

    /** What a transaction is told that would have to change what it cannot see; the answer to it depends on the dialect. */
    public CommandException writeConflict() {
        return writeConflict(
                kind() == LockPolicy.Kind.TOKUMX_TRANSACTION
                        ? "Write conflict: somebody has committed a change since this transaction's snapshot"
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
        Snapshot below = view;
        while (below instanceof Overlay overlay) {
            below = overlay.below();
        }
        if (!(below instanceof VersionSnapshot pinned)) {
            throw new IllegalArgumentException("not a view of a transaction");
        }
        return !owner.versions().isNewest(pinned.version()) && differs(pinned.version(), table, range);
    }

    private boolean differs(Version old, Table table, KeyRange range) {
        Version newest = owner.versions().acquireNewest();
        try (Scan before = old.engine.scan(table, range, false);
                Scan now = newest.engine.scan(table, range, false)) {
            while (true) {
                boolean had = before.next();
                boolean has = now.next();
                if (!had || !has) {
                    return had != has;
                }
                if (!Arrays.equals(before.key(), now.key()) || !Arrays.equals(before.value(), now.value())) {
                    return true;
                }
            }
        } finally {
            newest.release();
        }
    }

    private byte @Nullable [] latestCommitted(Table table, byte[] key) {
        Version newest = owner.versions().acquireNewest();
        try {
            return newest.engine.get(table, key);
        } finally {
            newest.release();
        }
    }

    /**
     * A plain statement begins anew: forgets its writes, keeps its locks, and reads from a new snapshot. For when a
     * candidate, once locked, turns out to have changed after the snapshot.
     */
    public void refresh() {
        refresh(new Savepoint(Writes.NONE, 0, 0, Tallies.Mark.NONE, 0));
    }

    /**
     * The same where several plain statements share a transaction, each with an instant of its own: what was written up to
     * the savepoint stays, and what comes after it begins anew, with a snapshot that is taken at the next read. What is
     * written is locked, so a newer snapshot does not contradict it.
     */
    public void refresh(Savepoint savepoint) {
        checkOpen();
        if (isolation != Isolation.STATEMENT) {
            throw new IllegalStateException("only a plain statement can begin anew");
        }
        rollbackTo(savepoint);
        releaseBase();
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
        return overlaid(new VersionSnapshot(acquired));
    }

    private Snapshot overlaid(Snapshot below) {
        Writes now = writes;
        if (now.isEmpty()) {
            return below;
        }
        openViews.incrementAndGet();
        return new Overlay(below, now, openViews::decrementAndGet);
    }

    /**
     * Roots first, then the engine: the other way round a transaction committing in between would be in neither. One that
     * has ended by now is left out, for a later commit may have overwritten what its root shows. One that is being committed
     * may be in the engine or not, so all that it has written is laid over it, not what it had written a moment ago.
     */
    private Snapshot uncommitted() {
        record Root(Transaction transaction, Writes writes) {}
        List<Root> roots = owner.others(this).stream()
                .map(each -> new Root(each, each.published))
                .filter(each -> !each.writes.isEmpty())
                .toList();
        Snapshot snapshot = new VersionSnapshot(rebase().acquire());
        for (Root each : roots) {
            snapshot = overlaid(snapshot, each.transaction, each.writes);
        }
        return overlaid(snapshot);
    }

    private static Snapshot overlaid(Snapshot below, Transaction other, Writes root) {
        while (true) {
            State now = other.state;
            Writes all = other.published;
            // What is committed is forgotten only after the state says so.
            if (other.state == now) {
                return switch (now) {
                    case OPEN -> new Overlay(below, root, () -> {});
                    case COMMITTING -> new Overlay(below, all, () -> {});
                    case ENDED -> below;
                };
            }
        }
    }

    // Locking

    public void lockShared(Table table, byte[] key) {
        lock(table, key, LockMode.SHARED);
    }

    public void lockExclusive(Table table, byte[] key) {
        lock(table, key, LockMode.EXCLUSIVE);
    }

    public void lockShared(Table table, KeyRange range) {
        lock(table, range, LockMode.SHARED);
    }

    public void lockExclusive(Table table, KeyRange range) {
        lock(table, range, LockMode.EXCLUSIVE);
    }

    /** Readers and writers of a collection take the intention, whoever changes its catalog entry takes it as a whole. */
    public void lockCollection(long collection, LockMode mode) {
        checkOpen();
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
        change(writes.put(table, key, value), Writes.heapBytes(key, value));
    }

    public void delete(Table table, byte[] key) {
        checkOpen();
        change(writes.delete(table, key), Writes.heapBytes(key, Writes.DELETED));
    }

    /** Notes that a unique value (its key without the id) is added or removed, for {@link #changedSinceSnapshot}. */
    public void mark(Table table, byte[] key) {
        checkOpen();
        change(writes.mark(table, key), Writes.heapBytes(key, Writes.DELETED));
    }

    /**
     * Removes everything in a range at commit, and what this transaction has written there. For data that nobody reads any
     * more, such as a dropped collection's: the transaction's own views and other transactions' conflict checks do not take
     * notice of what others have written.
     */
    public void deleteRange(Table table, KeyRange range) {
        checkOpen();
        // The range goes before the writes apply, so these must not.
        for (TreeCursor at = writes.cursor(table, range, false); at.next(); ) {
            if (!Writes.isDeleted(at.value())) {
                delete(table, at.key());
            }
        }
        removedRanges.add(new RemovedRange(table, range));
    }

    /** Adds rows that depend on the commit's time. They show in no view before the commit. */
    public void append(LateEntry entry) {
        checkOpen();
        if (!lateEntries.isEmpty()) {
            LateEntry last = lateEntries.getLast();
            long before = last.heapBytes();
            if (last.absorb(entry)) {
                lateBytes += last.heapBytes() - before;
                charge();
                return;
            }
        }
        lateEntries.add(entry);
        lateBytes += entry.heapBytes();
        charge();
    }

    /** What the commit changes in a figure that is kept in memory. */
    public void tally(Tally tally, long documents, long bytes) {
        checkOpen();
        tallies.add(tally, documents, bytes);
    }

    /** Adds to another what has been told of a figure and not been undone. */
    public void tallied(Tally tally, Tally into) {
        tallies.addTo(tally, into);
    }

    /** Whoever keeps something in memory about what this transaction writes is told how it ended, savepoints or not. */
    public void onEnd(TransactionEnd end) {
        checkOpen();
        ends.add(end);
    }

    public Savepoint savepoint() {
        checkOpen();
        if (openViews.get() == 0) {
            supersededBytes = Math.min(supersededBytes, savedBytes);
        }
        savedBytes = Math.max(savedBytes, writes.bytes());
        int late = lateEntries.size();
        int mark = late == 0 ? 0 : lateEntries.getLast().mark();
        return new Savepoint(writes, late, mark, tallies.mark(), removedRanges.size());
    }

    /** Undoes what was written since. Locks stay: what a failed statement has seen must not change under the next one. */
    public void rollbackTo(Savepoint savepoint) {
        checkOpen();
        writes = savepoint.writes;
        lateEntries.subList(savepoint.lateEntries, lateEntries.size()).clear();
        if (!lateEntries.isEmpty()) {
            lateEntries.getLast().truncate(savepoint.lateMark);
        }
        lateBytes = 0;
        for (LateEntry each : lateEntries) {
            lateBytes += each.heapBytes();
        }
        tallies.truncate(savepoint.tallies);
        removedRanges.subList(savepoint.removedRanges, removedRanges.size()).clear();
        charge();
        published = writes;
    }

    /**
     * What is written by now belongs together and may be seen by those who read what is not committed. Whoever writes a
     * document says so after its last row.
     */
    public void publish() {
        checkOpen();
        published = writes;
    }

    public boolean hasWrites() {
        return !writes.isEmpty() || !lateEntries.isEmpty() || !tallies.isEmpty() || !removedRanges.isEmpty();
    }

    /** With what the entry would take if it were a new one: what is less than that was there before. */
    private void change(Writes changed, long entryBytes) {
        long superseded = entryBytes - (changed.bytes() - writes.bytes());
        if (superseded > 0) {
            long kept = supersededBytes + superseded;
            supersededBytes = openViews.get() > 0 ? kept : Math.max(supersededBytes, Math.min(kept, savedBytes));
        }
        charge(changed.bytes());
        writes = changed;
    }

    private void charge() {
        charge(writes.bytes());
    }

    private void charge(long writtenBytes) {
        long bytes = writtenBytes + lateBytes + supersededBytes + tallies.heapBytes();
        long more = bytes - memory.bytes();
        if (more <= 0) {
            memory.shrink(-more);
            return;
        }
        long max = owner.options().transactionBytesMax();
        if (bytes > max) {
            throw new CommandException(
                    ErrorCode.TransactionTooLarge,
                    "Transaction exceeds the limit of %d bytes of uncommitted writes set by the parameter"
                            + " transactionBytesMax",
                    max);
        }
        grow(more);
    }

    private void grow(long more) {
        // Large ones leave room to small ones; if that is taken too, then by many small ones, which end soon.
        boolean fits =
                memory.isSmallWith(more) ? growWaiting(memory, more, WRITE_SET_WAIT_NANOS) : memory.tryGrow(more);
        if (!fits) {
            throw memory.part().refusal(ErrorCode.TransactionTooLarge, "Uncommitted writes of all transactions");
        }
    }

    private static boolean growWaiting(Reservation reservation, long more, long nanosMax) {
        try {
            return reservation.tryGrow(more, nanosMax);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ErrorCode.Interrupted, "operation was interrupted");
        }
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
        reserveForCommit();
        List<LateEntry> late = Collections.unmodifiableList(lateEntries);
        for (LateEntry each : late) {
            each.prepare(late);
        }
        if (removedRanges.isEmpty()) {
            staged = owner.stage(writes);
        }
        published = writes;
        state = State.COMMITTING;
        releaseBase();
        try {
            return owner.log().append(this);
        } catch (CommandException refused) {
            end(false);
            throw refused;
        }
    }

    /** Before anything is promised: what the commit itself takes, and room for what it adds to data in the heap. */
    private void reserveForCommit() {
        long prepared = 0;
        for (LateEntry each : lateEntries) {
            prepared += each.preparedHeapBytes();
        }
        if (prepared > 0) {
            grow(prepared);
        }
        MemoryPart data = owner.data();
        if (data != null && writes.addedBytes() > 0) {
            growth = reserveData(data, writes.addedBytes());
        }
    }

    private Reservation reserveData(MemoryPart data, long bytes) {
        Reservation reservation = data.open();
        if (reservation.growIfFree(bytes)) {
            return reservation;
        }
        owner.versions().relieve();
        // The log is shortened from time to time; most of what is full is not for long.
        if (!growWaiting(reservation, bytes, DATA_WAIT_NANOS)) {
            throw data.refusal(ErrorCode.ExceededMemoryLimit, "Data in memory");
        }
        return reservation;
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

    private void end(boolean successfully) {
        state = State.ENDED;
        releaseBase();
        for (TransactionEnd each : ends) {
            each.ended(successfully && committedAt != 0, committedAt);
        }
        forget();
        Staged prepared = staged;
        if (prepared != null) {
            owner.stagingEnded(prepared);
        }
        owner.locks().releaseAll(locks);
        owner.ended(this, successfully);
    }

    /** Whoever still knows this transaction, as somebody may for long, keeps nothing of what it wrote. */
    private void forget() {
        writes = Writes.NONE;
        published = Writes.NONE;
        lateEntries.clear();
        tallies.clear();
        removedRanges.clear();
        ends.clear();
        memory.close();
        Reservation reserved = growth;
        if (reserved != null) {
            reserved.close();
        }
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
                id(), isolation, locks.policy().kind(), begun, memory.bytes(), baseTime(owner.visibleTime()));
    }

    // For the commit log

    @Override
    public void writeTo(Stamp stamp) {
        for (RemovedRange each : removedRanges) {
            stamp.batch().deleteRange(each.table, each.range);
        }
        Staged prepared = staged;
        writes.addTo(stamp.batch(), table -> prepared == null || !Transactions.isStaged(table));
        for (LateEntry each : lateEntries) {
            each.write(stamp);
        }
        if (prepared != null) {
            stamp.batch().staged(prepared);
        }
        tallies.apply();
    }

    @Override
    public void applying(long clusterTime) {
        committedAt = clusterTime;
        owner.noteConflicts(this, writes, clusterTime);
    }

    @Override
    public void applied() {
        end(true);
    }

    @Override
    public void refused() {
        end(false);
    }
}

package dev.semel.server.session;

import dev.semel.server.catalog.WriteOrigin;
import dev.semel.store.Commit;
import dev.semel.store.Isolation;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Transactions in MongoDB's dialect. Each is named by its session and a number that only grows; a number below the newest
 * is refused, and a new one ends what is still open under the last. Every method is for who has checked the session out,
 * except {@link #end} and {@link #reap}.
 */
public final class SessionTransactions {
    private final Transactions transactions;
    private final Records records;
    private final Supplier<LockPolicy> lockPolicy;
    private final Supplier<Duration> lifetime;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final LongAdder started = new LongAdder();
    private final LongAdder committed = new LongAdder();
    private final LongAdder aborted = new LongAdder();

    /** The sessions that have an open transaction. */
    private final Map<SessionId, Session> open = new ConcurrentHashMap<>();

    /** What outlives the server's memory. */
    public interface Records {
        /** The newest number that left a record; null if none did. */
        @Nullable
        Latest latest(SessionId session);

        /** Adds to a transaction's writes the record that it was committed. */
        void committing(Transaction transaction, SessionId session, long txnNumber);
    }

    /** What a session's newest number was used for: a committed transaction or a retryable write. */
    public record Latest(long txnNumber, boolean isTransaction, long clusterTime) {}

    public SessionTransactions(
            Transactions transactions,
            Records records,
            Supplier<LockPolicy> lockPolicy,
            Supplier<Duration> lifetime,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.transactions = transactions;
        this.records = records;
        this.lockPolicy = lockPolicy;
        this.lifetime = lifetime;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    // ---- statements

    /** The first statement has come. It sees the state at a cluster time; 0 for the newest. */
    public OpenTransaction begin(Session session, long number, long atClusterTime, Interruption interruption) {
        long newest = newest(session);
        if (number < newest) {
            throw tooOld("Cannot start transaction", number, session, newest);
        }
        if (number == newest) {
            throw conflicting(
                    "Cannot start a transaction with txnNumber %d on session %s: the number has been used",
                    number, session);
        }
        abortOpen(session);
        Transaction begun = atClusterTime == 0
                ? transactions.begin(Isolation.SNAPSHOT, lockPolicy.get(), interruption)
                : transactions.beginAt(atClusterTime, lockPolicy.get(), interruption);
        OpenTransaction fresh = new OpenTransaction(OpenTransaction.Dialect.SESSION, begun, number, -1);
        long now = nanoTime.getAsLong();
        SessionTransaction state = new SessionTransaction(number, fresh, clock.instant(), now);
        state.entered(interruption, now);
        session.transaction(state);
        Session replaced = open.put(session.id(), session);
        if (replaced != null && replaced != session) {
            // The session ended a moment ago, and its transaction is about to be ended too.
            abortOpen(replaced);
        }
        started.increment();
        return fresh;
    }

    /** A further statement has come. */
    public OpenTransaction resume(Session session, long number, Interruption interruption) {
        SessionTransaction current = current(session, number);
        OpenTransaction running = current == null ? null : current.open();
        if (current != null && running != null) {
            current.entered(interruption, nanoTime.getAsLong());
            running.transaction().runUnder(interruption);
            return running;
        }
        refuseCommitted(session, number, current);
        throw noSuch(session, number, current);
    }

    /** A command has ended that worked in the transaction; its first failure ends the transaction too. */
    public void left(Session session, OpenTransaction left, boolean successfully) {
        SessionTransaction current = session.transaction();
        if (current == null || current.open() != left) {
            return;
        }
        current.left(nanoTime.getAsLong());
        if (!successfully || left.hasFailed()) {
            abort(session, current);
        }
    }

    /** A retryable write has come: it ends what is open under a lower number, and cannot share one. */
    public void passedBy(Session session, long number) {
        SessionTransaction current = session.transaction();
        if (current == null || current.number() < number) {
            abortOpen(session);
        } else if (current.number() == number) {
            throw conflicting(
                    "Cannot run a retryable write with txnNumber %d on session %s: the number is a transaction's",
                    number, session);
        } else {
            throw tooOld("Cannot run a retryable write", number, session, current.number());
        }
    }

    // ---- ends

    /** Commits, or finds that it has been committed; returns the time that must be durable before the reply. */
    public long commit(Session session, long number) {
        SessionTransaction current = current(session, number);
        if (current == null) {
            Latest before = committed(session, number);
            if (before == null) {
                throw noSuch(session, number, null);
            }
            return before.clusterTime();
        }
        OpenTransaction running = current.open();
        if (running == null) {
            if (current.state() == SessionTransaction.State.COMMITTED) {
                return current.committedAt();
            }
            // A commit that failed because this node ceased to be primary may have been in the log all the same.
            Latest before = committed(session, number);
            if (before == null) {
                throw noSuch(session, number, current);
            }
            return before.clusterTime();
        }
        running.ended();
        open.remove(session.id(), session);
        boolean done = false;
        try {
            Transaction transaction = running.transaction();
            if (transaction.hasWrites()) {
                running.checkDependencies();
                transaction.append(new WriteOrigin(session.id().toDocument(), number, -1));
                records.committing(transaction, session.id(), number);
            }
            Commit commit = transaction.commit();
            commit.awaitApplied();
            current.committed(commit.clusterTime());
            committed.increment();
            done = true;
            return commit.clusterTime();
        } finally {
            if (!done) {
                running.transaction().close();
                current.aborted();
                aborted.increment();
            }
        }
    }

    public void abort(Session session, long number) {
        SessionTransaction current = current(session, number);
        refuseCommitted(session, number, current);
        if (current == null || current.open() == null) {
            throw noSuch(session, number, current);
        }
        abort(session, current);
    }

    private void abortOpen(Session session) {
        SessionTransaction current = session.transaction();
        if (current != null && current.open() != null) {
            abort(session, current);
        }
    }

    private void abort(Session session, SessionTransaction current) {
        OpenTransaction running = current.open();
        open.remove(session.id(), session);
        current.aborted();
        aborted.increment();
        if (running != null) {
            running.ended();
            running.transaction().close();
        }
    }

    /** The session has ended, and with it its transaction; one in which a command works as soon as that ends. */
    public void end(SessionId id) {
        Session session = open.get(id);
        SessionTransaction current = session == null ? null : session.transaction();
        OpenTransaction running = current == null ? null : current.open();
        if (session != null && running != null) {
            running.fail();
            abortUnlessInUse(session, running);
        }
    }

    /** From time to time: ends what has been open for too long, and what works in it. */
    public void reap() {
        long now = nanoTime.getAsLong();
        for (Session session : open.values()) {
            SessionTransaction current = session.transaction();
            OpenTransaction running = current == null ? null : current.open();
            if (current != null
                    && running != null
                    && current.ageNanos(now) >= lifetime.get().toNanos()) {
                running.fail();
                current.interrupt(new CommandException(
                        ErrorCode.TransactionExceededLifetimeLimitSeconds,
                        "the transaction with txnNumber %d was open for longer than transactionLifetimeLimitSeconds",
                        current.number()));
                abortUnlessInUse(session, running);
            }
        }
    }

    /** This node does not write any more: all end, for this reason. */
    public void giveUp(CommandException why) {
        for (Session session : open.values()) {
            SessionTransaction current = session.transaction();
            OpenTransaction running = current == null ? null : current.open();
            if (current != null && running != null) {
                running.fail();
                current.interrupt(why);
                abortUnlessInUse(session, running);
            }
        }
    }

    /** The command that runs in it finds that it has failed, and aborts it. */
    private void abortUnlessInUse(Session session, OpenTransaction failed) {
        if (session.tryCheckOut()) {
            try {
                SessionTransaction current = session.transaction();
                if (current != null && current.open() == failed) {
                    abort(session, current);
                }
            } finally {
                session.checkIn();
            }
        }
    }

    // ---- what others may know

    public TransactionCounts counts() {
        long active = open.values().stream()
                .map(Session::transaction)
                .filter(each -> each != null && each.isActive())
                .count();
        return new TransactionCounts(open.size(), active, started.sum(), committed.sum(), aborted.sum());
    }

    public boolean isOpen(SessionId session) {
        return open.containsKey(session);
    }

    public List<TransactionReport> reports() {
        List<TransactionReport> reports = new ArrayList<>();
        long now = nanoTime.getAsLong();
        for (Session session : open.values()) {
            SessionTransaction current = session.transaction();
            OpenTransaction running = current == null ? null : current.open();
            if (current != null && running != null) {
                reports.add(new TransactionReport(
                        session.id(),
                        current.number(),
                        running.readTime(),
                        current.begun(),
                        Duration.ofNanos(current.ageNanos(now)),
                        Duration.ofNanos(current.activeNanos(now)),
                        current.begun().plus(lifetime.get()),
                        current.isActive()));
            }
        }
        return reports;
    }

    /** Whether the session's transaction of this number is open. */
    public boolean isOpen(Session session, long number) {
        SessionTransaction current = session.transaction();
        return current != null && current.number() == number && current.open() != null;
    }

    /** Whether the session has used a higher number. From any thread. */
    public boolean isPast(Session session, long number) {
        return number < newest(session);
    }

    /** Whether the session's newest transaction, open or over, has this number. From any thread. */
    public boolean had(Session session, long number) {
        SessionTransaction current = session.transaction();
        return (current != null && current.number() == number) || committed(session, number) != null;
    }

    // ---- numbers

    /** Null if the session's newest transaction has another number; a lower number is refused. */
    private @Nullable SessionTransaction current(Session session, long number) {
        SessionTransaction current = session.transaction();
        if (current != null && current.number() == number) {
            return current;
        }
        long newest = newest(session);
        if (number < newest) {
            throw tooOld("Cannot continue transaction", number, session, newest);
        }
        return null;
    }

    private long newest(Session session) {
        SessionTransaction current = session.transaction();
        Latest latest = records.latest(session.id());
        return Math.max(current == null ? -1 : current.number(), latest == null ? -1 : latest.txnNumber());
    }

    /** The record of the committed transaction of this number; null if there is none. */
    private @Nullable Latest committed(Session session, long number) {
        Latest latest = records.latest(session.id());
        return latest != null && latest.isTransaction() && latest.txnNumber() == number ? latest : null;
    }

    // ---- errors

    private static CommandException tooOld(String what, long number, Session session, long newest) {
        return new CommandException(
                ErrorCode.TransactionTooOld,
                "%s with txnNumber %d on session %s because a newer operation with txnNumber %d has already started"
                        + " on this session.",
                what,
                number,
                session.id(),
                newest);
    }

    private static CommandException conflicting(String message, long number, Session session) {
        return new CommandException(ErrorCode.ConflictingOperationInProgress, message, number, session.id());
    }

    private void refuseCommitted(Session session, long number, @Nullable SessionTransaction current) {
        boolean isOpen = current != null && current.open() != null;
        boolean isCommitted = current != null && current.state() == SessionTransaction.State.COMMITTED;
        if (isCommitted || (!isOpen && committed(session, number) != null)) {
            throw new CommandException(
                    ErrorCode.TransactionCommitted, "Transaction with { txnNumber: %d } has been committed.", number);
        }
    }

    private CommandException noSuch(Session session, long number, @Nullable SessionTransaction current) {
        if (current != null) {
            return new CommandException(
                    ErrorCode.NoSuchTransaction, "Transaction with { txnNumber: %d } has been aborted.", number);
        }
        return new CommandException(
                ErrorCode.NoSuchTransaction,
                "Given transaction number %d does not match any in-progress transactions. The active transaction"
                        + " number is %d",
                number,
                newest(session));
    }
}

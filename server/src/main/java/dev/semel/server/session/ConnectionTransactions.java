package dev.semel.server.session;

import dev.semel.store.Commit;
import dev.semel.store.Isolation;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Transactions in TokuMX's dialect: at most one for each session, or for each connection whose commands name none. One
 * ends at its commit or rollback, with its session, with the connection that began it, or when it is idle for too long.
 * A client that does not know yet that it has been ended must not go on without a transaction: its next commands fail.
 */
public final class ConnectionTransactions {
    private static final long NO_CONNECTION = -1;
    private static final int ALREADY_BEGUN = 16787;
    private static final int NOTHING_TO_COMMIT = 16788;
    private static final int NOTHING_TO_ROLL_BACK = 16789;

    /** How a write fails on a node that has ceased to be primary. */
    private static final Set<ErrorCode> NO_MORE_WRITES = Set.of(
            ErrorCode.NotWritablePrimary, ErrorCode.InterruptedDueToReplStateChange, ErrorCode.ShutdownInProgress);

    private final Transactions transactions;
    private final Marks marks;
    private final Supplier<Duration> idleLimit;
    private final Duration memory;
    private final LongSupplier nanoTime;
    private final Map<Key, Held> held = new ConcurrentHashMap<>();

    /** Whether this node is primary: what outlives its memory is written by a primary only. */
    private volatile boolean mayWrite;

    /** Those a command works in: it leaves also what has been forgotten or replaced under its key meanwhile. */
    private final Map<OpenTransaction, Held> inUse = new ConcurrentHashMap<>();

    /** Whose transaction it is. */
    public sealed interface Key {
        record OfSession(SessionId session) implements Key {}

        record OfConnection(long connectionId) implements Key {}
    }

    /**
     * What outlives the server's memory. Without it, a client that goes on after a crash would run outside of a transaction by
     * mistake, and so would a late command of a transaction that has ended.
     */
    public interface Marks {
        /** The sessions that were in a transaction when the server ended, and for how long that has been known. */
        Map<SessionId, Duration> lost();

        /**
         * The session is in this transaction, which takes the mark away when it commits. Commands with this number or a
         * lower one belong to the transaction before; -1 for none.
         */
        Commit begin(Transaction begun, SessionId session, long newestNumber);

        /** Whether the session is in one, as far as this node knows. */
        boolean isMarked(SessionId session);

        /** Commands with this number or a lower one must not come any more; -1 for none. */
        void fence(SessionId session, long newestNumber);

        /** The same, without an error for its client. */
        Commit end(SessionId session, long newestNumber);
    }

    /** All but the volatile fields belongs to whose turn it is. */
    private static final class Held {
        private final long connectionId;
        private final Turn turn = new Turn();

        /** Null before it has begun, and if it was lost with the server's memory. */
        private @Nullable OpenTransaction open;

        private volatile long lastUseNanos;

        /** Of the command that works in it. */
        private volatile @Nullable Interruption user;

        /** Why it has been ended, or will be as soon as no command runs in it. */
        private volatile @Nullable CommandException doom;

        /** Whether its client gets no error. */
        private volatile boolean isForgotten;

        private boolean hasEnded;

        /** Whether something outlives the server's memory: not for a connection, and not on a secondary. */
        private volatile boolean isMarked;

        /** Of the commands that have come for it; -1 if none had one. */
        private volatile long newestNumber = -1;

        Held(long connectionId, long nowNanos) {
            this.connectionId = connectionId;
            this.lastUseNanos = nowNanos;
        }

        OpenTransaction open() {
            return Objects.requireNonNull(open);
        }
    }

    /**
     * @param idleLimit after which a transaction is rolled back; zero for never
     * @param memory how long it is remembered that one was ended behind its client's back
     */
    public ConnectionTransactions(
            Transactions transactions,
            Marks marks,
            Supplier<Duration> idleLimit,
            Duration memory,
            LongSupplier nanoTime) {
        this.transactions = transactions;
        this.marks = marks;
        this.idleLimit = idleLimit;
        this.memory = memory;
        this.nanoTime = nanoTime;
    }

    /**
     * This node is primary now: sessions whose transactions ended with another primary, or in a crash, get an error, and so do those
     * that have begun one here before, which is not marked.
     */
    public void takeOver() {
        mayWrite = true;
        // What the marks do not say any more has been ended with another primary.
        held.values().removeIf(each -> each.isMarked);
        held.forEach((key, each) -> end(key, each, "because this member has become the primary"));
        marks.lost().forEach((session, known) -> held.put(new Key.OfSession(session), lost(known)));
    }

    private Held lost(Duration known) {
        Held lost = new Held(NO_CONNECTION, nanoTime.getAsLong() - known.toNanos());
        lost.hasEnded = true;
        lost.isMarked = true;
        lost.doom = doom("because the server was restarted or another one became the primary");
        return lost;
    }

    // ---- commands

    /**
     * Begins a transaction with this lock timeout.
     *
     * @param entered that the command works in, which is one too many
     * @return what must be durable before the reply; null for a connection's, which ends when the server does, and for one on a
     *     secondary, which only reads
     */
    public @Nullable Commit begin(
            Key key,
            @Nullable OpenTransaction entered,
            long connectionId,
            Isolation isolation,
            Duration lockTimeout,
            Interruption interruption) {
        if (entered != null) {
            throw begunAlready();
        }
        Held fresh = new Held(connectionId, nanoTime.getAsLong());
        fresh.turn.take(interruption);
        boolean begun = false;
        try {
            long before = place(key, fresh, interruption);
            SessionId session = key instanceof Key.OfSession(SessionId id) ? id : null;
            LockPolicy policy = LockPolicy.of(LockPolicy.Kind.TOKUMX_TRANSACTION, lockTimeout);
            Transaction transaction = transactions.begin(isolation, policy, Interruption.unlimited());
            fresh.open = new OpenTransaction(OpenTransaction.Dialect.TOKUMX, transaction, -1, connectionId);
            if (session == null || !mayWrite) {
                begun = true;
                return null;
            }
            fresh.isMarked = true;
            Commit mark = marks.begin(transaction, session, before);
            begun = true;
            return mark;
        } finally {
            if (!begun) {
                fresh.hasEnded = true;
                if (fresh.open != null) {
                    fresh.open.transaction().close();
                }
                held.remove(key, fresh);
            }
            fresh.turn.give();
            settle(key, fresh);
        }
    }

    /** Takes the place of one that was ended behind its client's back; the newest number that came for that. */
    private long place(Key key, Held fresh, Interruption interruption) {
        while (true) {
            Held existing = held.putIfAbsent(key, fresh);
            if (existing == null) {
                return -1;
            }
            existing.turn.take(interruption);
            try {
                if (existing.doom == null && !existing.hasEnded) {
                    throw begunAlready();
                }
                if (held.replace(key, existing, fresh)) {
                    return existing.newestNumber;
                }
            } finally {
                existing.turn.give();
                settle(key, existing);
            }
        }
    }

    private static CommandException begunAlready() {
        return new CommandException(
                ErrorCode.location(ALREADY_BEGUN), "A transaction is open already. Commit or roll back first");
    }

    /**
     * The transaction a command belongs to, which is the command's until {@link #leave}; null if there is none.
     *
     * @param mayHaveEnded whether the command makes sense after the transaction has been ended for its client
     * @param number that the command carries; -1 for none
     */
    public @Nullable OpenTransaction enter(Key key, boolean mayHaveEnded, long number, Interruption interruption) {
        Held found = found(key);
        if (found == null) {
            return null;
        }
        found.turn.take(interruption);
        CommandException doom = found.doom;
        if (doom == null && !found.hasEnded) {
            found.user = interruption;
            found.newestNumber = Math.max(found.newestNumber, number);
            OpenTransaction open = found.open();
            open.transaction().runUnder(interruption);
            inUse.put(open, found);
            return open;
        }
        if (doom != null && !mayHaveEnded) {
            found.newestNumber = Math.max(found.newestNumber, number);
            found.lastUseNanos = nanoTime.getAsLong();
        }
        found.turn.give();
        settle(key, found);
        if (doom != null && !mayHaveEnded) {
            throw doom;
        }
        return null;
    }

    /** The command that has entered it is over. */
    public void leave(Key key, OpenTransaction left) {
        Held found = inUse.remove(left);
        if (found == null) {
            return;
        }
        found.user = null;
        found.lastUseNanos = nanoTime.getAsLong();
        if (found.hasEnded) {
            held.remove(key, found);
        }
        found.turn.give();
        settle(key, found);
    }

    /** By the command that has entered it. */
    public Commit commit(Key key, @Nullable OpenTransaction entered, Interruption interruption) {
        Held found = entered == null ? null : inUse.get(entered);
        if (found == null) {
            throw refusal(key, NOTHING_TO_COMMIT, "commit", interruption);
        }
        found.hasEnded = true;
        OpenTransaction open = found.open();
        open.ended();
        boolean done = false;
        try {
            Commit commit = open.transaction().commit();
            commit.awaitApplied();
            done = true;
            return commit;
        } finally {
            open.transaction().close();
            if (!done && found.isMarked && key instanceof Key.OfSession(SessionId session)) {
                unmark(session, found.newestNumber);
            }
        }
    }

    /** After a commit that has failed, whose error says more than one of this: its outcome may not be known. */
    private void unmark(SessionId session, long newestNumber) {
        try {
            marks.end(session, newestNumber);
        } catch (CommandException e) {
            if (!NO_MORE_WRITES.contains(e.code())) {
                throw e;
            }
            // The next primary finds the mark, and tells the session, or the commit has taken it away.
        }
    }

    /**
     * By the command that has entered it; also for one that has been rolled back already.
     *
     * @return what must be durable before the reply; null if nothing has to
     */
    public @Nullable Commit rollback(Key key, @Nullable OpenTransaction entered, Interruption interruption) {
        Held found = entered == null ? null : inUse.get(entered);
        if (found != null) {
            close(found);
            return found.isMarked && key instanceof Key.OfSession(SessionId session)
                    ? marks.end(session, found.newestNumber)
                    : null;
        }
        Held ended = found(key);
        if (ended == null || ended.doom == null) {
            throw none(NOTHING_TO_ROLL_BACK, "roll back");
        }
        return forget(key, ended, interruption);
    }

    /** The error for a command that would end a transaction that does not exist: its client gets the reason once. */
    private CommandException refusal(Key key, int otherwise, String what, Interruption interruption) {
        Held found = found(key);
        CommandException doom = found == null ? null : found.doom;
        if (found == null || doom == null) {
            return none(otherwise, what);
        }
        forget(key, found, interruption);
        return doom;
    }

    /** On a secondary that tells clients where to look: the primary may know of one. */
    private CommandException none(int location, String what) {
        return mayWrite
                ? new CommandException(ErrorCode.location(location), "No transaction to %s", what)
                : new CommandException(ErrorCode.NotWritablePrimary, "not primary: no transaction to %s", what);
    }

    private @Nullable Commit forget(Key key, Held ended, Interruption interruption) {
        ended.turn.take(interruption);
        try {
            if (!ended.hasEnded) {
                close(ended);
            }
            return forget(key, ended);
        } finally {
            ended.turn.give();
        }
    }

    /** Where this node was primary it may have been ended with the next one, which takes the mark away. */
    private @Nullable Held found(Key key) {
        Held found = held.get(key);
        if (found == null || found.doom == null || !isKnownElsewhere(found)) {
            return found;
        }
        if (key instanceof Key.OfSession(SessionId session) && !marks.isMarked(session)) {
            held.remove(key, found);
            return null;
        }
        return found;
    }

    // ---- whose turn it is

    private static void close(Held ending) {
        ending.hasEnded = true;
        OpenTransaction open = ending.open();
        open.ended();
        open.transaction().close();
    }

    /** First what is stored, so that a transaction that starts again comes after it. */
    private @Nullable Commit forget(Key key, Held ended) {
        if (held.get(key) != ended) {
            return null;
        }
        Commit end = ended.isMarked && key instanceof Key.OfSession(SessionId session)
                ? marks.end(session, ended.newestNumber)
                : null;
        held.remove(key, ended);
        return end;
    }

    // ---- ends for other reasons

    /** The session has ended; a client that goes on using it after it was killed gets an error. */
    public void end(SessionId session, boolean killed) {
        Key key = new Key.OfSession(session);
        Held found = held.get(key);
        if (found != null) {
            if (!killed) {
                found.isForgotten = true;
            }
            end(key, found, "because its session was ended");
        }
    }

    /** A connection has closed. */
    public void connectionClosed(long connectionId) {
        if (held.isEmpty()) {
            return;
        }
        held.forEach((key, each) -> {
            if (each.connectionId == connectionId) {
                if (key instanceof Key.OfConnection) {
                    each.isForgotten = true;
                }
                end(key, each, "because the connection that began it was closed");
            }
        });
    }

    /** From time to time: ends transactions that are idle for too long. */
    public void reap() {
        if (held.isEmpty()) {
            return;
        }
        long now = nanoTime.getAsLong();
        Duration limit = idleLimit.get();
        held.forEach((key, each) -> {
            long idle = each.user != null ? 0 : now - each.lastUseNanos;
            if (each.doom != null) {
                if (idle >= memory.toNanos()) {
                    each.isForgotten = true;
                }
                settle(key, each);
            } else if (limit.isPositive() && idle >= limit.toNanos()) {
                end(key, each, "because it was idle for " + limit.toSeconds() + " s");
            }
        });
    }

    /** This node does not write any more: all end. The next primary reports that to those sessions that are marked, too. */
    public void giveUp(String why) {
        mayWrite = false;
        held.forEach((key, each) -> {
            if (each.doom == null) {
                each.doom = doom(why);
            }
            Interruption user = each.user;
            if (user != null) {
                user.kill(Objects.requireNonNull(each.doom));
            }
            if (each.turn.tryTake()) {
                try {
                    if (!each.hasEnded) {
                        close(each);
                    }
                } finally {
                    each.turn.give();
                }
            }
        });
    }

    private boolean isKnownElsewhere(Held ended) {
        return !mayWrite && ended.isMarked;
    }

    private void end(Key key, Held ending, String why) {
        CommandException doom = doom(why);
        if (ending.doom == null) {
            ending.doom = doom;
        }
        Interruption user = ending.user;
        if (user != null) {
            user.kill(doom);
        }
        settle(key, ending);
    }

    private static CommandException doom(String why) {
        return new CommandException(
                ErrorCode.NoSuchTransaction, "The transaction was rolled back %s. Begin it again", why);
    }

    /** A command that has finished in it looks here, so it is ended by one or the other. */
    private void settle(Key key, Held doomed) {
        if (doomed.doom != null && doomed.turn.tryTake()) {
            try {
                if (!doomed.hasEnded) {
                    close(doomed);
                    if (mayWrite
                            && doomed.isMarked
                            && key instanceof Key.OfSession(SessionId session)
                            && !doomed.isForgotten) {
                        marks.fence(session, doomed.newestNumber);
                    }
                }
                if (doomed.isForgotten && isKnownElsewhere(doomed)) {
                    held.remove(key, doomed);
                } else if (doomed.isForgotten) {
                    forget(key, doomed);
                }
            } catch (CommandException e) {
                if (!NO_MORE_WRITES.contains(e.code())) {
                    throw e;
                }
                // The next primary finds the mark, and tells the session.
                held.remove(key, doomed);
            } finally {
                doomed.turn.give();
            }
        }
    }

    // ---- what others may know

    /** So that commands need not ask each for its own. */
    public boolean isEmpty() {
        return held.isEmpty();
    }

    /** Whether there is one that is open, or that was ended behind its client's back. */
    public boolean knows(Key key) {
        return held.containsKey(key);
    }

    /** Of the commands that have come for it; -1 if none had one. */
    public long newestNumber(Key key) {
        Held found = held.get(key);
        return found == null ? -1 : found.newestNumber;
    }

    public boolean isOpen(SessionId session) {
        Held found = held.get(new Key.OfSession(session));
        return found != null && found.doom == null;
    }
}

package dev.semel.server.session;

import dev.semel.store.Commit;
import dev.semel.store.Isolation;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Transactions in TokuMX's dialect: at most one for each session, or for each connection whose commands name none. One
 * ends at its commit or rollback, with its session, with the connection that began it, or when nobody uses it for too long.
 * Whoever does not know yet that it has been ended must not go on as if there had been none: his next commands fail.
 */
public final class ConnectionTransactions {
    private static final int ALREADY_BEGUN = 16787;
    private static final int NOTHING_TO_COMMIT = 16788;
    private static final int NOTHING_TO_ROLL_BACK = 16789;

    private final Transactions transactions;
    private final Supplier<Duration> idleLimit;
    private final Duration memory;
    private final LongSupplier nanoTime;
    private final Map<Key, Held> held = new ConcurrentHashMap<>();

    /** Those a command works in: it leaves also what has been forgotten or replaced under its key meanwhile. */
    private final Map<OpenTransaction, Held> inUse = new ConcurrentHashMap<>();

    /** Whose transaction it is. */
    public sealed interface Key {
        record OfSession(SessionId session) implements Key {}

        record OfConnection(long connectionId) implements Key {}
    }

    private static final class Held {
        private final long connectionId;
        private final OpenTransaction open;
        private final Turn turn = new Turn();
        private volatile long lastUseNanos;

        /** Of the command that works in it. */
        private volatile @Nullable Interruption user;

        /** Why it has been ended, or is to be as soon as nobody works in it. */
        private volatile @Nullable CommandException doom;

        /** Belongs to whose turn it is. */
        private boolean hasEnded;

        Held(long connectionId, OpenTransaction open, long nowNanos) {
            this.connectionId = connectionId;
            this.open = open;
            this.lastUseNanos = nowNanos;
        }
    }

    /**
     * @param idleLimit after which a transaction is rolled back; zero for never
     * @param memory how long it is remembered that one was ended behind its client's back
     */
    public ConnectionTransactions(
            Transactions transactions, Supplier<Duration> idleLimit, Duration memory, LongSupplier nanoTime) {
        this.transactions = transactions;
        this.idleLimit = idleLimit;
        this.memory = memory;
        this.nanoTime = nanoTime;
    }

    // ---- commands

    /** Begins a transaction that waits for a lock for so long at most. */
    public void begin(Key key, long connectionId, Isolation isolation, Duration lockTimeout) {
        held.compute(key, (same, existing) -> {
            if (existing != null && existing.doom == null) {
                throw new CommandException(
                        ErrorCode.location(ALREADY_BEGUN), "A transaction is open already. Commit or roll back first");
            }
            SessionId session = key instanceof Key.OfSession(SessionId id) ? id : null;
            LockPolicy policy = LockPolicy.of(LockPolicy.Kind.TOKUMX_TRANSACTION, lockTimeout);
            OpenTransaction open = new OpenTransaction(
                    OpenTransaction.Dialect.TOKUMX,
                    transactions.begin(isolation, policy, Interruption.unlimited()),
                    session,
                    -1);
            return new Held(connectionId, open, nanoTime.getAsLong());
        });
    }

    /**
     * The transaction a command belongs to, which is the command's until {@link #leave}; null if there is none.
     *
     * @param mayHaveEnded whether the command makes sense after the transaction has been ended for its client
     */
    public @Nullable OpenTransaction enter(Key key, boolean mayHaveEnded, Interruption interruption) {
        Held found = held.get(key);
        if (found == null) {
            return null;
        }
        found.turn.take(interruption);
        CommandException doom = found.doom;
        if (doom == null && !found.hasEnded) {
            found.user = interruption;
            found.open.transaction().runUnder(interruption);
            inUse.put(found.open, found);
            return found.open;
        }
        found.turn.give();
        settle(found);
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
        settle(found);
    }

    /** By the command that has entered it. */
    public Commit commit(Key key, @Nullable OpenTransaction entered) {
        Held found = ending(key, entered, NOTHING_TO_COMMIT, "commit");
        found.hasEnded = true;
        found.open.ended();
        try {
            Commit commit = found.open.transaction().commit();
            commit.awaitApplied();
            return commit;
        } finally {
            found.open.transaction().close();
        }
    }

    /** By the command that has entered it; also of one that has been rolled back already. */
    public void rollback(Key key, @Nullable OpenTransaction entered) {
        Held ended = held.get(key);
        if (entered == null && ended != null && ended.doom != null) {
            held.remove(key, ended);
            return;
        }
        rollback(ending(key, entered, NOTHING_TO_ROLL_BACK, "roll back"));
    }

    private Held ending(Key key, @Nullable OpenTransaction entered, int otherwise, String what) {
        Held working = entered == null ? null : inUse.get(entered);
        if (working != null) {
            return working;
        }
        Held found = held.get(key);
        CommandException doom = found == null ? null : found.doom;
        if (found != null && doom != null) {
            held.remove(key, found);
            throw doom;
        }
        throw new CommandException(ErrorCode.location(otherwise), "No transaction to %s", what);
    }

    /** Whose turn it is. */
    private static void rollback(Held ending) {
        ending.hasEnded = true;
        ending.open.ended();
        ending.open.transaction().close();
    }

    // ---- ends for other reasons

    /** The session has ended; whoever goes on using it after it was killed is told. */
    public void end(SessionId session, boolean killed) {
        Key key = new Key.OfSession(session);
        Held found = held.get(key);
        if (found != null) {
            end(found, "because its session was ended");
            if (!killed) {
                held.remove(key, found);
            }
        }
    }

    /** A connection has closed. */
    public void connectionClosed(long connectionId) {
        if (held.isEmpty()) {
            return;
        }
        held.forEach((key, each) -> {
            if (each.connectionId == connectionId) {
                end(each, "because the connection that began it was closed");
                if (key instanceof Key.OfConnection) {
                    held.remove(key, each);
                }
            }
        });
    }

    /** From time to time: ends what nobody uses any more. */
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
                    held.remove(key, each);
                }
            } else if (limit.isPositive() && idle >= limit.toNanos()) {
                end(each, "because nobody used it for " + limit.toSeconds() + " s");
            }
        });
    }

    private static void end(Held ending, String why) {
        CommandException doom = new CommandException(
                ErrorCode.NoSuchTransaction, "The transaction was rolled back %s. Begin it again", why);
        ending.doom = doom;
        Interruption user = ending.user;
        if (user != null) {
            user.kill(doom);
        }
        settle(ending);
    }

    /** Whoever works in it looks here when he has finished, so it is ended by one or the other. */
    private static void settle(Held doomed) {
        if (doomed.doom != null && doomed.turn.tryTake()) {
            try {
                if (!doomed.hasEnded) {
                    rollback(doomed);
                }
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

    public boolean isOpen(SessionId session) {
        Held found = held.get(new Key.OfSession(session));
        return found != null && found.doom == null;
    }
}

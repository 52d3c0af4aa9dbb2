package dev.semel.server.session;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a session knows of the transaction with its newest number. Changed only by who has checked the session out; others
 * may look, and may stop what works in it.
 */
final class SessionTransaction {
    private final long number;
    private final Instant begun;
    private final long begunNanos;
    private volatile State state = State.IN_PROGRESS;
    private volatile @Nullable OpenTransaction open;

    /** Of the command that works in it now; null between commands. */
    private volatile @Nullable Interruption working;

    private volatile long enteredNanos;
    private volatile long activeNanos;
    private long committedAt;

    enum State {
        IN_PROGRESS,
        COMMITTED,
        ABORTED
    }

    SessionTransaction(long number, OpenTransaction open, Instant now, long nowNanos) {
        this.number = number;
        this.open = open;
        this.begun = now;
        this.begunNanos = nowNanos;
    }

    long number() {
        return number;
    }

    State state() {
        return state;
    }

    /** Null once it has ended. */
    @Nullable
    OpenTransaction open() {
        return open;
    }

    // ---- time

    Instant begun() {
        return begun;
    }

    long ageNanos(long nowNanos) {
        return nowNanos - begunNanos;
    }

    void entered(Interruption interruption, long nowNanos) {
        enteredNanos = nowNanos;
        working = interruption;
    }

    void left(long nowNanos) {
        activeNanos = activeNanos(nowNanos);
        working = null;
    }

    boolean isActive() {
        return working != null;
    }

    long activeNanos(long nowNanos) {
        return activeNanos + (working == null ? 0 : nowNanos - enteredNanos);
    }

    /** From any thread: what works in it ends, and with it the transaction. */
    void interrupt(CommandException why) {
        Interruption command = working;
        if (command != null) {
            command.kill(why);
        }
    }

    // ---- ends

    /** What its client has to know to be durable; 0 before the commit. */
    long committedAt() {
        return committedAt;
    }

    void committed(long clusterTime) {
        committedAt = clusterTime;
        state = State.COMMITTED;
        open = null;
    }

    void aborted() {
        state = State.ABORTED;
        open = null;
    }
}

package dev.semel.server.session;

import dev.semel.store.lock.Interruption;
import org.jspecify.annotations.Nullable;

/**
 * One logical session. It ends on request or when it has not been used for the sessions' timeout. Whatever carries a
 * transaction number is checked against what the session did before, so one such command runs at a time.
 */
public final class Session {
    private final SessionId id;
    private final Turn turn = new Turn();
    private volatile long lastUseNanos;
    private volatile boolean ended;

    /** The number of the command that has it checked out. */
    private volatile long workingOn = -1;

    /** Changed by who has checked the session out. */
    private volatile @Nullable SessionTransaction transaction;

    Session(SessionId id, long nowNanos) {
        this.id = id;
        this.lastUseNanos = nowNanos;
    }

    public SessionId id() {
        return id;
    }

    void used(long nowNanos) {
        lastUseNanos = nowNanos;
    }

    long idleNanos(long nowNanos) {
        return nowNanos - lastUseNanos;
    }

    /** Set before what it has left behind is looked for. */
    void end() {
        ended = true;
    }

    /** Whether what a command leaves behind in it, a cursor for instance, would never be ended. */
    public boolean isEnded() {
        return ended;
    }

    // ---- one command at a time

    /** Waits, in the order of asking, until the session is the caller's. */
    void checkOut(Interruption interruption) {
        turn.take(interruption);
    }

    boolean tryCheckOut() {
        return turn.tryTake();
    }

    public void checkIn() {
        workingOn = -1;
        turn.give();
    }

    void workOn(long number) {
        workingOn = number;
    }

    /** Whether a command with this number is running. From any thread. */
    public boolean isWorkingOn(long number) {
        return workingOn == number;
    }

    // ---- its newest transaction

    @Nullable
    SessionTransaction transaction() {
        return transaction;
    }

    void transaction(SessionTransaction newest) {
        transaction = newest;
    }
}

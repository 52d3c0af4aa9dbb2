package dev.semel.server.session;

import org.jspecify.annotations.Nullable;

/** What a session knows of the transaction with its newest number. Changed only by who has checked the session out. */
final class SessionTransaction {
    private final long number;
    private final long begunNanos;
    private State state = State.IN_PROGRESS;
    private @Nullable OpenTransaction open;
    private long committedAt;

    enum State {
        IN_PROGRESS,
        COMMITTED,
        ABORTED
    }

    SessionTransaction(long number, OpenTransaction open, long nowNanos) {
        this.number = number;
        this.open = open;
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

    long ageNanos(long nowNanos) {
        return nowNanos - begunNanos;
    }

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

package dev.semel.server.session;

/** One logical session. It ends on request or when it has not been used for the sessions' timeout. */
public final class Session {
    private final SessionId id;
    private volatile long lastUseNanos;

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
}

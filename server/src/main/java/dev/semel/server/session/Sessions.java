package dev.semel.server.session;

import dev.semel.server.auth.UserDigest;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The logical sessions of this node, in memory. A session exists from the first command that names it. What ends with a
 * session is ended by the {@link Ending listeners}: this class does not know cursors or transactions.
 */
public final class Sessions {
    private final Duration timeout;
    private final long sessionsMax;
    private final LongSupplier nanoTime;
    private final Supplier<UUID> ids;
    private final ConcurrentHashMap<SessionId, Session> sessions = new ConcurrentHashMap<>();
    private final AtomicLong count = new AtomicLong();
    private final List<Ending> listeners = new CopyOnWriteArrayList<>();

    /** A part that keeps something for sessions and has to release it. */
    public interface Ending {
        /**
         * The session is over.
         *
         * @param killed true if an administrator ended the session, which also stops the operations that run in it;
         *     false if its client did or it expired
         */
        void ended(SessionId id, boolean killed);
    }

    /** @param sessionsMax how many there may be: they are what any client can make the server keep */
    public Sessions(Duration timeout, long sessionsMax, LongSupplier nanoTime, Supplier<UUID> ids) {
        this.timeout = timeout;
        this.sessionsMax = sessionsMax;
        this.nanoTime = nanoTime;
        this.ids = ids;
    }

    public void onEnd(Ending listener) {
        listeners.add(listener);
    }

    public Duration timeout() {
        return timeout;
    }

    /** A new session with an id of our own. */
    public Session start(@Nullable UserDigest owner) {
        return use(SessionId.of(ids.get()).ownedBy(owner));
    }

    /** The session of this id, from now on used again; a new one if there is none. */
    public Session use(SessionId id) {
        Session session = sessions.get(id);
        if (session == null) {
            session = create(id);
        }
        session.used(nanoTime.getAsLong());
        return session;
    }

    private Session create(SessionId id) {
        if (count.get() >= sessionsMax) {
            throw new CommandException(
                    ErrorCode.TooManyLogicalSessions,
                    "Unable to add session into the cache because the number of active sessions is too high");
        }
        Session fresh = new Session(id, nanoTime.getAsLong());
        Session existing = sessions.putIfAbsent(id, fresh);
        if (existing == null) {
            count.incrementAndGet();
        }
        return existing == null ? fresh : existing;
    }

    public @Nullable Session find(SessionId id) {
        return sessions.get(id);
    }

    public Collection<Session> all() {
        return List.copyOf(sessions.values());
    }

    public long count() {
        return count.get();
    }

    /** The client has no more use for it. An unknown id is no error: the session may have expired. */
    public void end(SessionId id) {
        end(id, false);
    }

    /** Ends it and stops what runs in it; the session itself may be used again, as a new one. */
    public void kill(SessionId id) {
        end(id, true);
    }

    private void end(SessionId id, boolean killed) {
        Session session = sessions.get(id);
        // One that is being worked with stays: who comes next has to wait for it, and would not find it otherwise.
        if (session != null && session.tryCheckOut()) {
            try {
                if (sessions.remove(id, session)) {
                    session.end();
                    count.decrementAndGet();
                }
            } finally {
                session.checkIn();
            }
        }
        for (Ending listener : listeners) {
            listener.ended(id, killed);
        }
    }

    /**
     * Waits until the session is the caller's alone, for a command with this number. It may have ended since it was
     * looked for; then this is the one that has taken its place.
     */
    public Session checkOut(Session session, long number, Interruption interruption) {
        Session mine = session;
        while (true) {
            mine.checkOut(interruption);
            if (sessions.get(mine.id()) == mine) {
                mine.workOn(number);
                return mine;
            }
            mine.checkIn();
            mine = use(mine.id());
        }
    }

    /** Works on what is stored of a session; commands that want to use it wait meanwhile. Nothing if it is in use. */
    public void whileUnused(SessionId id, Runnable work) {
        Session placeholder = new Session(id, nanoTime.getAsLong());
        placeholder.tryCheckOut();
        if (sessions.putIfAbsent(id, placeholder) != null) {
            return;
        }
        try {
            work.run();
        } finally {
            sessions.remove(id, placeholder);
            placeholder.checkIn();
        }
    }

    /** Ends the sessions that have not been used for the timeout; says how many. */
    public int expire() {
        long now = nanoTime.getAsLong();
        int ended = 0;
        for (Session session : sessions.values()) {
            if (session.idleNanos(now) >= timeout.toNanos()) {
                end(session.id());
                ended++;
            }
        }
        return ended;
    }
}

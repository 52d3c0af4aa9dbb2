package dev.semel.server.once;

import dev.semel.server.session.SessionId;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The newest rows of the sessions that write, so that a write need not look for what it supersedes. Two generations: when
 * the younger one is full it becomes the older one, and what is used again meanwhile is taken over.
 */
final class RecordCache {
    private static final int GENERATION_MAX = 1 << 15;

    private final AtomicReference<Generations> generations =
            new AtomicReference<>(new Generations(new ConcurrentHashMap<>(), new ConcurrentHashMap<>()));

    private record Generations(
            ConcurrentHashMap<SessionId, NumberRecord> young, ConcurrentHashMap<SessionId, NumberRecord> old) {}

    @Nullable
    NumberRecord get(SessionId session) {
        Generations now = generations.get();
        NumberRecord found = now.young.get(session);
        return found != null ? found : now.old.get(session);
    }

    /** What was found in the store, unless somebody has written something newer meanwhile. */
    void putIfAbsent(SessionId session, NumberRecord found) {
        Generations now = generations.get();
        if (now.young.putIfAbsent(session, found) == null) {
            turnIfFull(now);
        }
    }

    /** By whoever has the session for himself. */
    void put(SessionId session, NumberRecord newest) {
        Generations now = generations.get();
        if (now.young.put(session, newest) == null) {
            turnIfFull(now);
        }
    }

    private void turnIfFull(Generations now) {
        if (now.young.mappingCount() > GENERATION_MAX) {
            // Whoever still puts into the full one finds it as the older one.
            generations.compareAndSet(now, new Generations(new ConcurrentHashMap<>(), now.young));
        }
    }

    void remove(SessionId session) {
        Generations now = generations.get();
        now.young.remove(session);
        now.old.remove(session);
    }
}

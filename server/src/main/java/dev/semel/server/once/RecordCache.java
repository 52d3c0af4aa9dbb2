package dev.semel.server.once;

import dev.semel.server.session.SessionId;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The newest rows of the sessions that write, so that a write need not look for what it supersedes. Two generations: when
 * the younger one is full it becomes the older one, and what is used again meanwhile is taken over.
 */
final class RecordCache {
    /** What an entry takes in the heap beside the bytes of its record. */
    private static final int ENTRY_BYTES = 300;

    private final long bytesMax;
    private final AtomicReference<Generations> generations = new AtomicReference<>(Generations.after(null));

    /** With what the younger one takes, roughly. */
    private record Generations(
            ConcurrentHashMap<SessionId, NumberRecord> young,
            ConcurrentHashMap<SessionId, NumberRecord> old,
            AtomicLong youngBytes) {
        static Generations after(@Nullable Generations full) {
            return new Generations(
                    new ConcurrentHashMap<>(), full == null ? new ConcurrentHashMap<>() : full.young, new AtomicLong());
        }
    }

    /** With what both generations may take in the heap. */
    RecordCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * The newest row of a session, null if it has none.
     *
     * @param stored looks for it in the store
     */
    @Nullable
    NumberRecord get(SessionId session, Supplier<@Nullable NumberRecord> stored) {
        Generations now = generations.get();
        NumberRecord young = now.young.get(session);
        NumberRecord cached = young == null ? now.old.get(session) : young;
        if (cached != null) {
            return cached;
        }
        NumberRecord found = stored.get();
        // A newer row may be written while this one is read. It is in the same generation, or in a younger one that
        // hides it.
        if (found != null && now.young.putIfAbsent(session, found) == null) {
            turnIfFull(now, found, null);
        }
        return found;
    }

    /** By the command that has checked the session out. */
    void put(SessionId session, NumberRecord newest) {
        Generations now = generations.get();
        turnIfFull(now, newest, now.young.put(session, newest));
        // In one that is the older one by now, it could be hidden by what was read of the store before it.
        for (Generations next = generations.get(); next != now; next = generations.get()) {
            now = next;
            now.young.put(session, newest);
        }
    }

    private void turnIfFull(Generations now, NumberRecord added, @Nullable NumberRecord replaced) {
        long more = (long) added.bytes().length + (replaced == null ? ENTRY_BYTES : -replaced.bytes().length);
        if (now.youngBytes.addAndGet(more) > bytesMax / 2) {
            generations.compareAndSet(now, Generations.after(now));
        }
    }

    void remove(SessionId session) {
        Generations now = generations.get();
        now.young.remove(session);
        now.old.remove(session);
    }
}

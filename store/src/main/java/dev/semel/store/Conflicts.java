package dev.semel.store;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * When documents and unique values were last written, so that a transaction notices what has changed since its snapshot
 * without reading it twice. Kept only as far back as a live transaction may ask, and bounded: what is older than the
 * low-water mark is unknown here and must be compared byte by byte.
 */
final class Conflicts {
    enum Answer {
        UNCHANGED,
        CHANGED,
        UNKNOWN
    }

    private final int keysMax;
    private final Map<Key, Long> written = new ConcurrentHashMap<>();

    /** In commit order; touched by the committer alone. */
    private final Deque<Entry> order = new ArrayDeque<>();

    /** Commits up to and including this one may be missing. Raised before entries go, read after they were looked for. */
    private volatile long lowWater;

    private record Entry(Key key, long clusterTime) {}

    Conflicts(int keysMax, long lowWater) {
        this.keysMax = keysMax;
        this.lowWater = lowWater;
    }

    /** By the committer, before the writer's locks go. */
    void add(Table table, byte[] key, long clusterTime) {
        Key entry = new Key(table, key);
        written.put(entry, clusterTime);
        order.addLast(new Entry(entry, clusterTime));
        if (order.size() > keysMax) {
            forgetUpTo(order.removeFirst());
        }
    }

    /** By the committer: no live transaction has a snapshot from before this time. */
    void forgetThrough(long clusterTime) {
        if (Long.compareUnsigned(clusterTime, lowWater) <= 0) {
            return;
        }
        lowWater = clusterTime;
        while (!order.isEmpty() && Long.compareUnsigned(order.getFirst().clusterTime, clusterTime) <= 0) {
            forget(order.removeFirst());
        }
    }

    private void forgetUpTo(Entry oldest) {
        lowWater = oldest.clusterTime;
        forget(oldest);
        while (!order.isEmpty() && order.getFirst().clusterTime == oldest.clusterTime) {
            forget(order.removeFirst());
        }
    }

    private void forget(Entry entry) {
        written.remove(entry.key, entry.clusterTime);
    }

    Answer changedSince(Table table, byte[] key, long clusterTime) {
        @Nullable Long last = written.get(new Key(table, key));
        if (last != null) {
            return Long.compareUnsigned(last, clusterTime) > 0 ? Answer.CHANGED : Answer.UNCHANGED;
        }
        return Long.compareUnsigned(clusterTime, lowWater) >= 0 ? Answer.UNCHANGED : Answer.UNKNOWN;
    }

    int size() {
        return written.size();
    }

    private static final class Key {
        private final Table table;
        private final byte[] bytes;
        private final int hash;

        Key(Table table, byte[] bytes) {
            this.table = table;
            this.bytes = bytes;
            this.hash = Arrays.hashCode(bytes) * 31 + table.index();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key that
                    && hash == that.hash
                    && table == that.table
                    && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}

package dev.semel.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
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

    /** What an entry takes in the heap beside its key: in the map, in the order, and the boxed time. */
    private static final int ENTRY_BYTES = 160;

    private final LongSupplier bytesMax;
    private final Map<Key, Long> written = new ConcurrentHashMap<>();

    /** In commit order; touched by the committer alone. */
    private final Deque<Entry> order = new ArrayDeque<>();

    /** Large commits as they are, oldest first: their keys one by one would hold up the committer. Written by it alone. */
    private volatile List<Large> large = List.of();

    /** Commits up to and including this one may be missing. Raised before entries go, read after they were looked for. */
    private volatile long lowWater;

    /** Written by the committer alone. */
    private volatile long bytes;

    private record Entry(Key key, long clusterTime) {}

    private record Large(Writes writes, long clusterTime) {}

    Conflicts(LongSupplier bytesMax, long lowWater) {
        this.bytesMax = bytesMax;
        this.lowWater = lowWater;
    }

    /** By the committer, before the writer's locks go. */
    void add(Table table, byte[] key, long clusterTime) {
        Key entry = new Key(table, key);
        written.put(entry, clusterTime);
        order.addLast(new Entry(entry, clusterTime));
        long taken = bytes + entry.heapBytes();
        bytes = taken;
        if (taken > bytesMax.getAsLong()) {
            forgetOldest();
        }
    }

    /** By the committer, before the writer's locks go. */
    void addLarge(Writes writes, long clusterTime) {
        List<Large> more = new ArrayList<>(large);
        more.add(new Large(writes, clusterTime));
        large = List.copyOf(more);
        long taken = bytes + writes.bytes();
        bytes = taken;
        while (bytes > bytesMax.getAsLong() && !large.isEmpty()) {
            forgetThrough(large.getFirst().clusterTime);
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
        while (!large.isEmpty() && Long.compareUnsigned(large.getFirst().clusterTime, clusterTime) <= 0) {
            long left = bytes - large.getFirst().writes.bytes();
            bytes = left;
            large = List.copyOf(large.subList(1, large.size()));
        }
    }

    private void forgetOldest() {
        long oldest = order.getFirst().clusterTime;
        List<Large> kept = large;
        boolean isLargeOlder = !kept.isEmpty() && Long.compareUnsigned(kept.getFirst().clusterTime, oldest) < 0;
        forgetThrough(isLargeOlder ? kept.getFirst().clusterTime : oldest);
    }

    private void forget(Entry entry) {
        written.remove(entry.key, entry.clusterTime);
        long left = bytes - entry.key.heapBytes();
        bytes = left;
    }

    Answer changedSince(Table table, byte[] key, long clusterTime) {
        @Nullable Long last = written.get(new Key(table, key));
        if (last != null && Long.compareUnsigned(last, clusterTime) > 0) {
            return Answer.CHANGED;
        }
        for (Large each : large) {
            if (Long.compareUnsigned(each.clusterTime, clusterTime) > 0 && each.writes.isConflictKey(table, key)) {
                return Answer.CHANGED;
            }
        }
        return Long.compareUnsigned(clusterTime, lowWater) >= 0 ? Answer.UNCHANGED : Answer.UNKNOWN;
    }

    int size() {
        return written.size();
    }

    /** What this takes in the heap, roughly. */
    long bytes() {
        return bytes;
    }

    /** Clients can choose keys with equal hashes, and a map with many of them is fast only if they can be compared. */
    private static final class Key implements Comparable<Key> {
        private final Table table;
        private final byte[] bytes;
        private final int hash;

        Key(Table table, byte[] bytes) {
            this.table = table;
            this.bytes = bytes;
            this.hash = Arrays.hashCode(bytes) * 31 + table.index();
        }

        long heapBytes() {
            return (long) ENTRY_BYTES + bytes.length;
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

        @Override
        public int compareTo(Key other) {
            int order = Arrays.compareUnsigned(bytes, other.bytes);
            return order != 0 ? order : Integer.compare(table.index(), other.table.index());
        }
    }
}

package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one key space as disjoint segments in order, and those who wait. A point is a segment of one key, so points
 * and ranges meet in one structure: whatever overlaps is found by one search. Guarded by the table's mutex.
 */
final class LockSpace {
    /** Keys begin with the number of their collection or index; locks never grow from one into another. */
    private static final int NUMBER_BYTES = 4;

    final int number;
    private final TreeMap<byte[], Segment> segments = new TreeMap<>(Arrays::compareUnsigned);

    /** In the order in which they are to be served. */
    final List<LockRequest> waiting = new ArrayList<>();

    private long bytes;

    LockSpace(int number) {
        this.number = number;
    }

    long bytes() {
        return bytes;
    }

    // What is held

    /** True if the owner has at least this lock on all of the range. */
    boolean covers(LockOwner owner, KeyRange range, LockMode mode) {
        Segment at = containing(range.low());
        while (at != null) {
            Segment.Hold held = at.of(owner);
            if (held == null || !held.mode.covers(mode)) {
                return false;
            }
            byte[] end = at.high;
            byte[] high = range.high();
            if (end == null || (high != null && Arrays.compareUnsigned(high, end) <= 0)) {
                return true;
            }
            at = segments.get(end);
        }
        return false;
    }

    boolean hasAny(LockOwner owner, KeyRange range) {
        for (Segment at = first(range); at != null; at = next(at, range)) {
            if (at.of(owner) != null) {
                return true;
            }
        }
        return false;
    }

    /** Some owner whose lock is in the way, or null. */
    @Nullable
    LockOwner conflict(LockOwner owner, KeyRange range, LockMode mode) {
        for (Segment at = first(range); at != null; at = next(at, range)) {
            LockOwner other = at.conflict(owner, mode);
            if (other != null) {
                return other;
            }
        }
        return null;
    }

    void forEachConflict(LockRequest request, Consumer<LockOwner> visitor) {
        for (Segment at = first(request.range); at != null; at = next(at, request.range)) {
            for (Segment.Hold each : at.holds) {
                if (each.owner != request.owner && !each.mode.isCompatible(request.mode)) {
                    visitor.accept(each.owner);
                }
            }
        }
    }

    private @Nullable Segment containing(byte[] key) {
        Map.Entry<byte[], Segment> entry = segments.floorEntry(key);
        return entry != null && entry.getValue().endsBehind(key) ? entry.getValue() : null;
    }

    private @Nullable Segment first(KeyRange range) {
        Segment containing = containing(range.low());
        return containing != null ? containing : within(segments.higherEntry(range.low()), range);
    }

    private @Nullable Segment next(Segment at, KeyRange range) {
        byte[] end = at.high;
        byte[] high = range.high();
        if (end == null || (high != null && Arrays.compareUnsigned(end, high) >= 0)) {
            return null;
        }
        return within(segments.higherEntry(at.low), range);
    }

    private static @Nullable Segment within(Map.@Nullable Entry<byte[], Segment> entry, KeyRange range) {
        if (entry == null) {
            return null;
        }
        byte[] high = range.high();
        return high == null || Arrays.compareUnsigned(entry.getKey(), high) < 0 ? entry.getValue() : null;
    }

    /** Nobody may be in the way. */
    void insert(LockOwner owner, KeyRange range, LockMode mode) {
        split(range.low());
        byte[] high = range.high();
        if (high != null) {
            split(high);
        }
        byte[] at = range.low();
        for (Segment each = first(range); each != null; each = next(each, range)) {
            if (Arrays.compareUnsigned(at, each.low) < 0) {
                put(new Segment(this, at, each.low, owner, mode));
            }
            each.add(owner, mode);
            byte[] end = each.high;
            if (end == null) {
                return;
            }
            at = end;
        }
        if (high == null || Arrays.compareUnsigned(at, high) < 0) {
            put(new Segment(this, at, high, owner, mode));
        }
    }

    /** Makes a boundary at this key, if a segment goes across it. */
    private void split(byte[] key) {
        Segment across = containing(key);
        if (across != null && !Arrays.equals(across.low, key)) {
            bytes -= across.bytes();
            Segment upper = new Segment(key, across);
            bytes += across.bytes();
            put(upper);
        }
    }

    private void put(Segment segment) {
        segments.put(segment.low, segment);
        bytes += segment.bytes();
    }

    private void remove(Segment segment) {
        segments.remove(segment.low);
        segment.gone = true;
        bytes -= segment.bytes();
    }

    /** Of one of the owner's segments here. */
    void release(Segment segment, LockOwner owner) {
        segment.holds.removeIf(each -> each.owner == owner);
        if (segment.holds.isEmpty()) {
            remove(segment);
        }
    }

    // Saving memory

    /**
     * Joins neighbouring locks, the gap between them included, where that costs others nothing now: those of one owner
     * and, if readers are to be joined, those that all are shared. A lock of somebody who waits stays as it is: its growth
     * could close a circle that nobody looks for. True if anything was joined.
     */
    boolean join(boolean readers) {
        Set<LockOwner> shrunk = new HashSet<>();
        Segment run = null;
        for (Segment each : List.copyOf(segments.values())) {
            if (run != null && canJoin(run, each, readers)) {
                bytes -= run.bytes();
                run.high = each.high;
                bytes += run.bytes();
                for (Segment.Hold hold : each.holds) {
                    run.add(hold.owner, hold.mode);
                    shrunk.add(hold.owner);
                }
                remove(each);
            } else {
                run = each;
            }
        }
        for (LockOwner each : shrunk) {
            each.segments.removeIf(segment -> segment.gone);
        }
        return !shrunk.isEmpty();
    }

    private static boolean canJoin(Segment run, Segment next, boolean readers) {
        if (run.low.length < NUMBER_BYTES
                || Arrays.mismatch(run.low, 0, NUMBER_BYTES, next.low, 0, Math.min(NUMBER_BYTES, next.low.length)) >= 0
                || isAnyoneWaiting(run)
                || isAnyoneWaiting(next)) {
            return false;
        }
        boolean sameOwner = run.holds.size() == 1
                && next.holds.size() == 1
                && run.holds.getFirst().owner == next.holds.getFirst().owner;
        return sameOwner || (readers && isShared(run) && isShared(next));
    }

    private static boolean isAnyoneWaiting(Segment segment) {
        return segment.holds.stream().anyMatch(each -> each.owner.waiting != null);
    }

    private static boolean isShared(Segment segment) {
        return segment.holds.stream().allMatch(each -> each.mode == LockMode.SHARED);
    }

    // Who waits

    void enqueue(LockRequest request) {
        int at = waiting.size();
        while (at > 0 && waiting.get(at - 1).order > request.order) {
            at--;
        }
        waiting.add(at, request);
    }

    void dequeue(LockRequest request) {
        waiting.remove(request);
    }

    /** Somebody in the way of a request that waits or is about to, or null. */
    @Nullable
    LockOwner blocker(LockRequest request) {
        // The nearest before it rather than any: then a queue is a chain, and its head alone is looked at on a release.
        for (int i = waiting.size() - 1; i >= 0; i--) {
            LockRequest other = waiting.get(i);
            if (other.order < request.order && other.conflictsWith(request)) {
                return other.owner;
            }
        }
        return conflict(request.owner, request.range, request.mode);
    }

    void forEachBlocker(LockRequest request, Consumer<LockOwner> visitor) {
        forEachConflict(request, visitor);
        for (LockRequest other : waiting) {
            if (other.order >= request.order) {
                break;
            }
            if (other.conflictsWith(request)) {
                visitor.accept(other.owner);
            }
        }
    }

    /** Whether somebody waits because of what an owner has in this segment. */
    boolean isWaitedFor(Segment segment, LockOwner owner) {
        Segment.Hold held = segment.of(owner);
        if (held == null || waiting.isEmpty()) {
            return false;
        }
        KeyRange range = segment.range();
        for (LockRequest each : waiting) {
            if (each.owner != owner && !held.mode.isCompatible(each.mode) && each.range.overlaps(range)) {
                return true;
            }
        }
        return false;
    }
}

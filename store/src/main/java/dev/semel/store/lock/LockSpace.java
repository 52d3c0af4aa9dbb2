package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one key space as disjoint segments in order, and the waiting requests. A point is a segment of one key,
 * so points and ranges meet in one structure: whatever overlaps is found by one search. Guarded by its mutex.
 */
final class LockSpace {
    /** Keys begin with the number of their collection or index; locks never grow from one into another. */
    private static final int NUMBER_BYTES = 4;

    final int number;
    final ReentrantLock mutex = new ReentrantLock();
    final Lines lines = new Lines();
    private final TreeMap<byte[], Segment> segments = new TreeMap<>(Arrays::compareUnsigned);

    /** Of all spaces together. */
    private final AtomicLong bytes;

    LockSpace(int number, AtomicLong bytes) {
        this.number = number;
        this.bytes = bytes;
    }

    // What is held

    /** True if the owner has at least this lock on all of the range. */
    boolean covers(@Nullable Holding own, KeyRange range, LockMode mode) {
        if (own == null) {
            return false;
        }
        Segment at = containing(range.low());
        while (at != null) {
            LockMode has = at.mode(own);
            if (has == null || !has.covers(mode)) {
                return false;
            }
            if (at.reaches(range.high())) {
                return true;
            }
            byte[] end = at.high();
            at = end == null ? null : segments.get(end);
        }
        return false;
    }

    boolean hasAny(@Nullable Holding own, KeyRange range) {
        if (own == null) {
            return false;
        }
        for (Segment at = first(range); at != null; at = next(at, range)) {
            if (at.mode(own) != null) {
                return true;
            }
        }
        return false;
    }

    /** Some owner whose lock is in the way, or null. */
    @Nullable
    LockOwner conflict(@Nullable Holding own, KeyRange range, LockMode mode) {
        LockOwner[] found = new LockOwner[1];
        return anyConflict(own, range, mode, each -> (found[0] = each) != null) ? found[0] : null;
    }

    /** Whether a conflicting lock was asked for, and is not only due to locks having been merged. */
    boolean isAskedFor(@Nullable Holding own, KeyRange range, LockMode mode) {
        for (Segment at = first(range); at != null; at = next(at, range)) {
            if (!at.widened && at.anyConflict(own, mode, each -> true)) {
                return true;
            }
        }
        return false;
    }

    /** True as soon as the visitor returns true for the owner of a conflicting lock. May visit an owner several times. */
    boolean anyConflict(@Nullable Holding own, KeyRange range, LockMode mode, Predicate<LockOwner> visitor) {
        for (Segment at = first(range); at != null; at = next(at, range)) {
            if (at.anyConflict(own, mode, visitor)) {
                return true;
            }
        }
        return false;
    }

    private @Nullable Segment containing(byte[] key) {
        Map.Entry<byte[], Segment> entry = segments.floorEntry(key);
        return entry != null && entry.getValue().endsBehind(key) ? entry.getValue() : null;
    }

    @Nullable
    Segment first(KeyRange range) {
        Segment containing = containing(range.low());
        return containing != null ? containing : within(segments.higherEntry(range.low()), range);
    }

    @Nullable
    Segment next(Segment at, KeyRange range) {
        return at.reaches(range.high()) ? null : within(segments.higherEntry(at.low), range);
    }

    private static @Nullable Segment within(Map.@Nullable Entry<byte[], Segment> entry, KeyRange range) {
        if (entry == null) {
            return null;
        }
        byte[] high = range.high();
        return high == null || Arrays.compareUnsigned(entry.getKey(), high) < 0 ? entry.getValue() : null;
    }

    /** Where nobody has anything, as is the case for new documents: with fewer searches. False if anybody has. */
    boolean insertIntoGap(LockOwner owner, KeyRange range, LockMode mode) {
        if (first(range) != null) {
            return false;
        }
        put(new Segment(range.low(), range.high(), holding(owner), mode));
        return true;
    }

    private Holding holding(LockOwner owner) {
        Holding has = owner.in(this);
        return has != null ? has : owner.begin(this);
    }

    /** There must be no conflicting lock. */
    void insert(LockOwner owner, KeyRange range, LockMode mode) {
        Holding own = holding(owner);
        split(range.low());
        byte[] high = range.high();
        if (high != null) {
            split(high);
        }
        byte[] at = range.low();
        for (Segment each = first(range); each != null; each = next(each, range)) {
            if (Arrays.compareUnsigned(at, each.low) < 0) {
                put(new Segment(at, each.low, own, mode));
            }
            long before = each.bytes();
            each.add(own, mode);
            bytes.addAndGet(each.bytes() - before);
            byte[] end = each.high();
            if (end == null) {
                return;
            }
            at = end;
        }
        if (high == null || Arrays.compareUnsigned(at, high) < 0) {
            put(new Segment(at, high, own, mode));
        }
    }

    /** Makes a boundary at this key, if a segment goes across it. */
    private void split(byte[] key) {
        Segment across = containing(key);
        if (across != null && !Arrays.equals(across.low, key)) {
            long before = across.bytes();
            Segment upper = new Segment(key, across);
            bytes.addAndGet(across.bytes() - before);
            put(upper);
        }
    }

    private void put(Segment segment) {
        segments.put(segment.low, segment);
        bytes.addAndGet(segment.bytes());
    }

    /** Releases at most this many of an owner's segments. */
    void release(Holding holding, int atMost) {
        for (int i = 0; i < atMost && !holding.isEmpty(); i++) {
            Segment each = holding.removeLast();
            if (!each.gone) {
                long before = each.bytes();
                boolean isFree = each.remove(holding);
                if (isFree) {
                    segments.remove(each.low);
                    each.gone = true;
                }
                bytes.addAndGet((isFree ? 0 : each.bytes()) - before);
            }
        }
    }

    // Saving memory

    /**
     * Looks at a number of segments from a key on, and merges neighbours, the gap between them included, where that
     * costs others nothing now and all their holders have many: those of one owner, and those that all are shared. A
     * lock of a waiting owner stays as it is: if it grew, it could close a cycle that is not searched for. Where to go
     * on, or null.
     */
    byte @Nullable [] join(byte[] from, int atMost, int many) {
        Map.Entry<byte[], Segment> entry = segments.ceilingEntry(from);
        Segment run = null;
        for (int i = 0; i < atMost && entry != null; i++) {
            Segment each = entry.getValue();
            if (run != null && canJoin(run, each, many)) {
                long before = run.bytes() + each.bytes();
                segments.remove(each.low);
                run.takeIn(each);
                bytes.addAndGet(run.bytes() - before);
            } else {
                run = each;
            }
            entry = segments.higherEntry(each.low);
        }
        return entry == null || run == null ? null : run.low;
    }

    private static boolean canJoin(Segment run, Segment next, int many) {
        return run.low.length >= NUMBER_BYTES
                && next.low.length >= NUMBER_BYTES
                && Arrays.equals(run.low, 0, NUMBER_BYTES, next.low, 0, NUMBER_BYTES)
                && run.isLike(next)
                && mayGrow(run, many)
                && mayGrow(next, many);
    }

    private static boolean mayGrow(Segment segment, int many) {
        for (Holding each : segment.holdings()) {
            if (each.owner.waiting != null || each.size() < many) {
                return false;
            }
        }
        return true;
    }

    // Who waits

    /** Requests of a lower order come before a request that is made now; before an upgrade, only other upgrades do. */
    long orderBefore(@Nullable Holding own, KeyRange range) {
        return hasAny(own, range) ? 0 : Long.MAX_VALUE;
    }

    /** An owner that conflicts with a request that waits or is about to, or null. */
    @Nullable
    LockOwner blocker(LockRequest request) {
        // The nearest before it rather than any: then a queue is a chain, and its head alone is looked at on a release.
        LockRequest before = lines.nearestConflict(request.range, request.mode, request.order);
        return before != null ? before.owner : conflict(request.owner.in(this), request.range, request.mode);
    }

    /** Whether a waiting request could be granted now, and therefore is about to be. */
    boolean isDue(KeyRange range, LockMode mode) {
        return lines.anyOverlapping(range, line -> {
            for (LockMode each : Line.MODES) {
                Map.Entry<Long, LockRequest> first = line.of(each).firstEntry();
                if (!each.isCompatible(mode) && first != null && blocker(first.getValue()) == null) {
                    return true;
                }
            }
            return false;
        });
    }

    /** True as soon as the visitor returns true for an owner that a request waits for. May visit an owner several times. */
    boolean anyBlocker(LockRequest request, Predicate<LockOwner> visitor) {
        return anyConflict(request.owner.in(this), request.range, request.mode, visitor)
                || lines.anyOverlapping(request.range, line -> {
                    for (LockMode each : Line.MODES) {
                        if (!each.isCompatible(request.mode)) {
                            for (LockRequest before :
                                    line.of(each).headMap(request.order).values()) {
                                if (visitor.test(before.owner)) {
                                    return true;
                                }
                            }
                        }
                    }
                    return false;
                });
    }

    /** Whether a request waits because of what an owner holds here, or requests here. */
    boolean isWaitedFor(Holding own) {
        if (lines.isEmpty()) {
            return false;
        }
        // Whichever is less: a transaction may have a million locks, and a thousand clients may wait.
        if (lines.size() < own.size()) {
            return lines.any(line -> {
                for (Segment at = first(line.range); at != null; at = next(at, line.range)) {
                    LockMode has = at.mode(own);
                    if (has != null && line.isWaitedForBehind(has, Long.MIN_VALUE, own.owner)) {
                        return true;
                    }
                }
                return false;
            });
        }
        for (Segment each : own.segments()) {
            LockMode has = each.mode(own);
            if (has != null
                    && lines.anyOverlapping(
                            each.range(), line -> line.isWaitedForBehind(has, Long.MIN_VALUE, own.owner))) {
                return true;
            }
        }
        return false;
    }
}

package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The requests that wait for one range of keys, in the order in which they are granted. */
final class Line {
    static final LockMode[] MODES = LockMode.values();

    final KeyRange range;

    /** For each mode the requests by {@link LockRequest#order}, so that compatible ones need not be looked at. */
    private final List<NavigableMap<Long, LockRequest>> byMode = new ArrayList<>(MODES.length);

    // Of the tree of lines.

    final long priority;

    @Nullable
    Line left;

    @Nullable
    Line right;

    /** The highest end of this line and those below it in the tree; null is the end of the key space. */
    byte @Nullable [] highest;

    Line(KeyRange range, long priority) {
        this.range = range;
        this.priority = priority;
        this.highest = range.high();
        for (int i = 0; i < MODES.length; i++) {
            byMode.add(new TreeMap<>());
        }
    }

    NavigableMap<Long, LockRequest> of(LockMode mode) {
        return byMode.get(mode.ordinal());
    }

    void forEach(Consumer<LockRequest> visitor) {
        byMode.forEach(each -> each.values().forEach(visitor));
    }

    boolean isEmpty() {
        return byMode.stream().allMatch(Map::isEmpty);
    }

    /** The last before this place that such a lock has to wait for, or null. */
    @Nullable
    LockRequest nearestConflict(LockMode mode, long order) {
        LockRequest nearest = null;
        for (LockMode each : MODES) {
            if (!each.isCompatible(mode)) {
                Map.Entry<Long, LockRequest> before = of(each).lowerEntry(order);
                if (before != null && (nearest == null || before.getKey() > nearest.order)) {
                    nearest = before.getValue();
                }
            }
        }
        return nearest;
    }

    /** Whether a request behind this place, or any at all if it is the lowest, has to wait for such a lock. */
    boolean isWaitedForBehind(LockMode mode, long order, LockOwner owner) {
        for (LockMode each : MODES) {
            if (!each.isCompatible(mode)) {
                Map.Entry<Long, LockRequest> behind = of(each).higherEntry(order);
                if (behind != null && behind.getValue().owner == owner) {
                    behind = of(each).higherEntry(behind.getKey());
                }
                if (behind != null) {
                    return true;
                }
            }
        }
        return false;
    }

    /** By low end, then by high end. */
    int compareTo(KeyRange other) {
        int low = Arrays.compareUnsigned(range.low(), other.low());
        return low != 0 ? low : compareEnds(range.high(), other.high());
    }

    static int compareEnds(byte @Nullable [] a, byte @Nullable [] b) {
        if (a == null || b == null) {
            return a == b ? 0 : a == null ? 1 : -1;
        }
        return Arrays.compareUnsigned(a, b);
    }
}

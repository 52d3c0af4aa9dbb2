package dev.semel.store.lock;

import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait in one key space: an interval tree of {@link Line lines}, balanced by pseudo-random
 * priorities. It finds the lines that overlap a range without looking at the others, however many wait. Changed under
 * the table's mutex for waits and the mutex of the space, read under either.
 */
final class Lines {
    private @Nullable Line root;
    private int size;
    private long made;

    /** How many different ranges are waited for. */
    int size() {
        return size;
    }

    boolean isEmpty() {
        return root == null;
    }

    void add(LockRequest request) {
        Line line = find(request.range);
        if (line == null) {
            line = new Line(request.range, mixed(++made));
            root = inserted(root, line);
            size++;
        }
        line.of(request.mode).put(request.order, request);
    }

    void remove(LockRequest request) {
        Line line = find(request.range);
        if (line == null || line.of(request.mode).remove(request.order) == null) {
            throw new IllegalStateException("a request that does not wait");
        }
        if (line.isEmpty()) {
            root = removed(root, line);
            size--;
        }
    }

    /** Spreads the numbers over all bits, as SplitMix64 does. */
    private static long mixed(long number) {
        long bits = number * 0x9E3779B97F4A7C15L;
        bits = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
        return bits ^ (bits >>> 31);
    }

    private @Nullable Line find(KeyRange range) {
        Line at = root;
        while (at != null) {
            int order = at.compareTo(range);
            if (order == 0) {
                return at;
            }
            at = order > 0 ? at.left : at.right;
        }
        return null;
    }

    // The tree

    private static Line inserted(@Nullable Line at, Line line) {
        if (at == null) {
            return line;
        }
        if (at.compareTo(line.range) > 0) {
            Line left = inserted(at.left, line);
            at.left = left;
            return settled(left.priority > at.priority ? rotatedRight(at, left) : at);
        }
        Line right = inserted(at.right, line);
        at.right = right;
        return settled(right.priority > at.priority ? rotatedLeft(at, right) : at);
    }

    private static Line rotatedRight(Line at, Line left) {
        at.left = left.right;
        left.right = settled(at);
        return left;
    }

    private static Line rotatedLeft(Line at, Line right) {
        at.right = right.left;
        right.left = settled(at);
        return right;
    }

    private static @Nullable Line removed(@Nullable Line at, Line line) {
        if (at == null) {
            return null;
        }
        if (at == line) {
            return merged(at.left, at.right);
        }
        if (at.compareTo(line.range) > 0) {
            at.left = removed(at.left, line);
        } else {
            at.right = removed(at.right, line);
        }
        return settled(at);
    }

    /** All of the one lie before all of the other. */
    private static @Nullable Line merged(@Nullable Line left, @Nullable Line right) {
        if (left == null || right == null) {
            return left == null ? right : left;
        }
        if (left.priority > right.priority) {
            left.right = merged(left.right, right);
            return settled(left);
        }
        right.left = merged(left, right.left);
        return settled(right);
    }

    /** With its highest end worked out from those below it. */
    private static Line settled(Line at) {
        byte[] highest = at.range.high();
        Line left = at.left;
        if (left != null && Line.compareEnds(left.highest, highest) > 0) {
            highest = left.highest;
        }
        Line right = at.right;
        if (right != null && Line.compareEnds(right.highest, highest) > 0) {
            highest = right.highest;
        }
        at.highest = highest;
        return at;
    }

    // Looking

    /** True as soon as the visitor says so of a line that overlaps the range. */
    boolean anyOverlapping(KeyRange range, Predicate<Line> visitor) {
        return any(root, range, visitor);
    }

    private static boolean any(@Nullable Line at, KeyRange range, Predicate<Line> visitor) {
        if (at == null || !endsBehind(at.highest, range.low())) {
            return false;
        }
        if (any(at.left, range, visitor)) {
            return true;
        }
        byte[] high = range.high();
        if (high != null && Arrays.compareUnsigned(at.range.low(), high) >= 0) {
            return false;
        }
        return (endsBehind(at.range.high(), range.low()) && visitor.test(at)) || any(at.right, range, visitor);
    }

    private static boolean endsBehind(byte @Nullable [] end, byte[] low) {
        return end == null || Arrays.compareUnsigned(low, end) < 0;
    }

    boolean any(Predicate<Line> visitor) {
        return anyOverlapping(KeyRange.ALL, visitor);
    }

    /** The nearest before this place that such a lock has to wait for, or null. */
    @Nullable
    LockRequest nearestConflict(KeyRange range, LockMode mode, long order) {
        if (root == null) {
            return null;
        }
        Nearest nearest = new Nearest();
        anyOverlapping(range, line -> {
            nearest.offer(line.nearestConflict(mode, order));
            return false;
        });
        return nearest.found;
    }

    private static final class Nearest {
        @Nullable
        LockRequest found;

        void offer(@Nullable LockRequest other) {
            if (other != null && (found == null || other.order > found.order)) {
                found = other;
            }
        }
    }
}

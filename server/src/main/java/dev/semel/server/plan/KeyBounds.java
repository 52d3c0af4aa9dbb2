package dev.semel.server.plan;

import dev.semel.server.catalog.Index;
import dev.semel.store.key.KeyRange;
import dev.semel.store.key.KeyReader;
import dev.semel.store.key.KeyWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bounds as the bytes of keys: the range in which a scan begins and ends, and for each key whether it is wanted and, if
 * not, from where on there may be wanted ones again. Most bounds are one range in which every key is wanted.
 */
final class KeyBounds {
    /** There are no wanted keys any more. */
    static final byte[] END = {};

    private static final int NUMBER_BYTES = 4;

    private final boolean[] descending;
    private final List<List<Piece>> fields;
    private final KeyRange hull;
    private final boolean isContiguous;

    /** Encoded values, in the order of the keys: where the index is descending, from the high value to the low one. */
    private record Piece(byte[] low, boolean lowInclusive, byte[] high, boolean highInclusive) {
        boolean isPoint() {
            return lowInclusive && highInclusive && Arrays.equals(low, high);
        }
    }

    private KeyBounds(boolean[] descending, List<List<Piece>> fields, KeyRange hull, boolean isContiguous) {
        this.descending = descending;
        this.fields = fields;
        this.hull = hull;
        this.isContiguous = isContiguous;
    }

    static KeyBounds of(IndexBounds bounds) {
        Index index = bounds.index();
        int last = bounds.fields().size();
        while (last > 0 && bounds.fields().get(last - 1).isAll()) {
            last--;
        }
        List<List<Piece>> fields = new ArrayList<>();
        for (int i = 0; i < last; i++) {
            fields.add(pieces(bounds.fields().get(i), index.descending()[i]));
        }
        return new KeyBounds(index.descending(), fields, hull(index.prefix(), fields), isContiguous(fields));
    }

    /** Exactly this range, as {@code min} and {@code max} give it. */
    static KeyBounds of(KeyRange range) {
        return new KeyBounds(new boolean[0], List.of(), range, true);
    }

    private static List<Piece> pieces(Intervals intervals, boolean descending) {
        List<Interval> order = descending ? intervals.list().reversed() : intervals.list();
        List<Piece> pieces = new ArrayList<>(order.size());
        for (Interval each : order) {
            byte[] low = new KeyWriter().put(each.low(), descending).toKey();
            byte[] high = new KeyWriter().put(each.high(), descending).toKey();
            pieces.add(
                    descending
                            ? new Piece(high, each.highInclusive(), low, each.lowInclusive())
                            : new Piece(low, each.lowInclusive(), high, each.highInclusive()));
        }
        return pieces;
    }

    /** From the lowest wanted key to the highest. */
    private static KeyRange hull(byte[] prefix, List<List<Piece>> fields) {
        byte[] low = prefix;
        byte[] high = prefix;
        for (List<Piece> pieces : fields) {
            Piece first = pieces.getFirst();
            Piece last = pieces.getLast();
            byte[] lowest = concat(low, first.low);
            byte[] highest = concat(high, last.high);
            if (pieces.size() == 1 && first.isPoint()) {
                low = lowest;
                high = highest;
                continue;
            }
            byte[] from = first.lowInclusive ? lowest : KeyRange.prefixEnd(lowest);
            return new KeyRange(
                    from == null ? lowest : from, last.highInclusive ? KeyRange.prefixEnd(highest) : highest);
        }
        return KeyRange.prefix(low);
    }

    private static boolean isContiguous(List<List<Piece>> fields) {
        for (int i = 0; i < fields.size(); i++) {
            boolean point =
                    fields.get(i).size() == 1 && fields.get(i).getFirst().isPoint();
            if (!point) {
                return fields.get(i).size() == 1 && i == fields.size() - 1;
            }
        }
        return true;
    }

    private static byte[] concat(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    KeyRange hull() {
        return hull;
    }

    /** The intervals with the matching keys, in order; only their hull if there would be too many. */
    List<KeyRange> ranges(byte[] prefix, int max) {
        List<KeyRange> ranges = new ArrayList<>();
        if (fields.isEmpty() || !addRanges(prefix, 0, max, ranges)) {
            return List.of(hull);
        }
        return ranges;
    }

    private boolean addRanges(byte[] shared, int field, int max, List<KeyRange> ranges) {
        for (Piece piece : fields.get(field)) {
            byte[] low = concat(shared, piece.low);
            if (piece.isPoint() && field + 1 < fields.size()) {
                if (!addRanges(low, field + 1, max, ranges)) {
                    return false;
                }
                continue;
            }
            if (ranges.size() == max) {
                return false;
            }
            byte[] high = concat(shared, piece.high);
            byte[] from = piece.lowInclusive ? low : KeyRange.prefixEnd(low);
            ranges.add(new KeyRange(from == null ? low : from, piece.highInclusive ? KeyRange.prefixEnd(high) : high));
        }
        return true;
    }

    /** Whether every key in the hull is wanted, so that {@link #beyond} need not be asked. */
    boolean isContiguous() {
        return isContiguous;
    }

    /** Null if the key is wanted; otherwise where to go on, or {@link #END}. */
    byte @Nullable [] beyond(byte[] key, boolean reverse) {
        int start = NUMBER_BYTES;
        for (int field = 0; field < fields.size(); field++) {
            int end = KeyReader.end(key, start, descending[field]);
            List<Piece> pieces = fields.get(field);
            int at = reverse ? lastNotAbove(pieces, key, start, end) : firstNotBelow(pieces, key, start, end);
            if (at < 0 || at >= pieces.size()) {
                return past(key, start, field, reverse);
            }
            Piece piece = pieces.get(at);
            if (!isAtLeastLow(piece, key, start, end) || !isAtMostHigh(piece, key, start, end)) {
                return toPiece(piece, Arrays.copyOf(key, start), reverse);
            }
            start = end;
        }
        return null;
    }

    /** No more pieces for this field: past all keys that share the fields before it. */
    private static byte[] past(byte[] key, int start, int field, boolean reverse) {
        if (field == 0) {
            return END;
        }
        byte[] shared = Arrays.copyOf(key, start);
        byte[] end = reverse ? shared : KeyRange.prefixEnd(shared);
        return end == null ? END : end;
    }

    private static byte[] toPiece(Piece piece, byte[] shared, boolean reverse) {
        byte[] edge = concat(shared, reverse ? piece.high : piece.low);
        boolean inclusive = reverse ? piece.highInclusive : piece.lowInclusive;
        if (inclusive == reverse) {
            byte[] end = KeyRange.prefixEnd(edge);
            return end == null ? END : end;
        }
        return edge;
    }

    /** The first piece whose end the value has not passed. */
    private static int firstNotBelow(List<Piece> pieces, byte[] key, int start, int end) {
        int low = 0;
        int high = pieces.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isAtMostHigh(pieces.get(middle), key, start, end)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** The last piece whose beginning the value has not passed. */
    private static int lastNotAbove(List<Piece> pieces, byte[] key, int start, int end) {
        int low = 0;
        int high = pieces.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isAtLeastLow(pieces.get(middle), key, start, end)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    private static boolean isAtMostHigh(Piece piece, byte[] key, int start, int end) {
        int order = Arrays.compareUnsigned(key, start, end, piece.high, 0, piece.high.length);
        return order < 0 || (order == 0 && piece.highInclusive);
    }

    private static boolean isAtLeastLow(Piece piece, byte[] key, int start, int end) {
        int order = Arrays.compareUnsigned(key, start, end, piece.low, 0, piece.low.length);
        return order > 0 || (order == 0 && piece.lowInclusive);
    }
}

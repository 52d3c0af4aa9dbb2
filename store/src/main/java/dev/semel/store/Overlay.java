package dev.semel.store;

import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A snapshot with writes laid over it. Owns the snapshot below. What the writes have spilled is acquired by the creator. */
final class Overlay implements Snapshot {
    private final Snapshot below;
    private final Writes writes;
    private final Runnable onClose;
    private boolean closed;

    Overlay(Snapshot below, Writes writes, Runnable onClose) {
        this.below = below;
        this.writes = writes;
        this.onClose = onClose;
    }

    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
        byte[] own = writes.get(table, key);
        if (own == null) {
            return below.get(table, key);
        }
        return Writes.isDeleted(own) ? null : own;
    }

    @Override
    public List<byte @Nullable []> get(Table table, List<byte[]> keys) {
        boolean isAllBelow = writes.isHeapEmpty(table) && writes.spilled() == null;
        return isAllBelow ? below.get(table, keys) : Snapshot.super.get(table, keys);
    }

    @Override
    public Scan scan(Table table, KeyRange range, boolean reverse) {
        Scan scan = below.scan(table, range, reverse);
        SpilledWrites.State spilled = writes.spilled();
        if (spilled != null) {
            scan = new Merge(scan, spilled.rows(table, range, reverse), reverse);
        }
        return writes.isHeapEmpty(table)
                ? scan
                : new Merge(scan, new WrittenRows.InHeap(writes.cursor(table, range, reverse)), reverse);
    }

    @Override
    public boolean showsUncommitted() {
        return true;
    }

    @Override
    public long clusterTime() {
        return below.clusterTime();
    }

    @Override
    public void close() {
        below.close();
        if (!closed) {
            closed = true;
            onClose.run();
        }
    }

    Snapshot below() {
        return below;
    }

    /**
     * One side is on the current entry, the other one on its next; of two entries for one key the upper side's counts. A skip
     * moves the other side at once, for {@link #next()} moves only the one that is on the current entry.
     */
    private static final class Merge implements Scan {
        private final Scan lower;
        private final WrittenRows upper;
        private final boolean reverse;
        private boolean lowerHas;
        private boolean upperHas;
        private boolean begun;
        private boolean onUpper;

        Merge(Scan lower, WrittenRows upper, boolean reverse) {
            this.lower = lower;
            this.upper = upper;
            this.reverse = reverse;
        }

        @Override
        public boolean next() {
            if (!begun) {
                begun = true;
                lowerHas = lower.next();
                upperHas = upper.next();
            } else if (onUpper) {
                upperHas = upper.next();
            } else if (lowerHas) {
                lowerHas = lower.next();
            }
            return settle();
        }

        private boolean settle() {
            while (upperHas) {
                int order = lowerHas ? order() : -1;
                if (order > 0) {
                    break;
                }
                if (order == 0) {
                    lowerHas = lower.next();
                }
                if (!upper.isDeletion()) {
                    onUpper = true;
                    return true;
                }
                upperHas = upper.next();
            }
            onUpper = false;
            return lowerHas;
        }

        private int order() {
            int order = Arrays.compareUnsigned(upper.key(), lower.key());
            return reverse ? -order : order;
        }

        @Override
        public byte[] key() {
            return onUpper ? upper.key() : lower.key();
        }

        @Override
        public byte[] value() {
            return onUpper ? upper.value() : lower.value();
        }

        @Override
        public byte[] transientValue() {
            return onUpper ? upper.value() : lower.transientValue();
        }

        @Override
        public boolean hasValuesAtHand() {
            return onUpper || lower.hasValuesAtHand();
        }

        @Override
        public void seek(byte[] key) {
            if (!begun || !onUpper) {
                lower.seek(key);
            } else if (lowerHas && isBehind(lower.key(), key)) {
                lower.seek(key);
                lowerHas = lower.next();
            }
            if (!begun || onUpper) {
                upper.seek(key);
            } else if (upperHas && isBehind(upper.key(), key)) {
                upper.seek(key);
                upperHas = upper.next();
            }
        }

        private boolean isBehind(byte[] key, byte[] target) {
            int order = Arrays.compareUnsigned(key, target);
            return reverse ? order > 0 : order < 0;
        }

        @Override
        public void close() {
            try (lower) {
                upper.close();
            }
        }
    }
}

package dev.semel.store.rocks;

import dev.semel.store.key.KeyRange;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The entries of an index that begin with the same bytes, which is what a query for a value looks for, if they are few.
 *
 * <p>A batch does not say to which of these beginnings the keys that it writes belong. But in an index their lengths are few, so they
 * are noted, and of each key the beginnings with these lengths are outdated. What was read before its length was noted does not count,
 * since a batch may have passed over it.
 */
final class ScanCache {
    /** More are seldom found by a query for one value; and to keep them would cost a long scan too much. */
    static final int ENTRIES_MAX = 16;

    private static final int LENGTH_MAX = Long.SIZE - 1;

    /** Of the number of an index, with which its keys begin. */
    private static final int NUMBER_BYTES = Integer.BYTES;

    /** Indexes whose numbers end with the same bits are one here. */
    private static final int INDEXES = 64;

    private final boolean isEmpty;
    private final VersionedCache<Entries> known;

    /** Of each index, a bit for each length of a beginning that is known. */
    private final AtomicLongArray lengths = new AtomicLongArray(INDEXES);

    /** Of each length in each index, the oldest snapshot of which all later batches are known to outdate what they write to. */
    private final AtomicLongArray notedSince = new AtomicLongArray(INDEXES * Long.SIZE);

    /** The newest batch that has begun. */
    private volatile long newestBegun;

    /**
     * In ascending order; without any of them, and not whole, if the first one is too large to be kept.
     *
     * @param isWhole whether there are no further ones
     */
    record Entries(byte[][] keys, byte[][] values, boolean isWhole) {
        private static final int BYTES = 48;
        private static final int BYTES_PER_ENTRY = 48;

        boolean areOfUse(boolean reverse) {
            return isWhole || (!reverse && keys.length > 0);
        }

        Entries reversed() {
            return new Entries(reversed(keys), reversed(values), isWhole);
        }

        private static byte[][] reversed(byte[][] arrays) {
            return List.of(arrays).reversed().toArray(byte[][]::new);
        }

        int bytes() {
            int bytes = BYTES + keys.length * BYTES_PER_ENTRY;
            for (int i = 0; i < keys.length; i++) {
                bytes += keys[i].length + values[i].length;
            }
            return bytes;
        }
    }

    /** With 0 it stays empty. */
    ScanCache(long bytesMax) {
        isEmpty = bytesMax == 0;
        known = new VersionedCache<>(bytesMax, Entries::bytes);
        for (int i = 0; i < notedSince.length(); i++) {
            notedSince.set(i, Long.MAX_VALUE);
        }
    }

    /** Whether a scan of the range can be known: one of all keys of an index that begin with the same bytes. */
    boolean canKnow(KeyRange range) {
        int length = range.low().length;
        return !isEmpty && length >= NUMBER_BYTES && length <= LENGTH_MAX && range.isPrefix();
    }

    /** Null if it is not known what the snapshot with this number shows. */
    @Nullable
    Entries get(byte[] beginning, long snapshot) {
        return known.get(beginning, snapshot);
    }

    /** Whether a scan has to be noted. */
    boolean isWanted(byte[] beginning) {
        return known.isMissedAgain(beginning);
    }

    /** What the snapshot with this number has shown. */
    void read(byte[] beginning, Entries entries, long snapshot) {
        if (snapshot >= notedSince(index(beginning), beginning.length)) {
            known.put(beginning, entries, snapshot);
        }
    }

    private static int index(byte[] key) {
        return key[NUMBER_BYTES - 1] & (INDEXES - 1);
    }

    private long notedSince(int index, int length) {
        int place = index * Long.SIZE + length;
        long bit = 1L << length;
        if ((lengths.get(index) & bit) == 0) {
            lengths.accumulateAndGet(index, bit, (all, one) -> all | one);
            // A batch that has begun may have looked at the lengths already; the next one looks at them later.
            notedSince.set(place, newestBegun);
        }
        return notedSince.get(place);
    }

    /** By the one writer, before it says what a batch outdates. */
    void begins(long batch) {
        newestBegun = batch;
    }

    void outdate(byte[] key, long batch) {
        if (key.length < NUMBER_BYTES) {
            return;
        }
        for (long rest = lengths.get(index(key)); rest != 0; rest &= rest - 1) {
            int length = Long.numberOfTrailingZeros(rest);
            if (length > key.length) {
                return;
            }
            known.outdate(key, length, batch);
        }
    }

    void outdateAll(long batch) {
        known.outdateAll(batch);
    }

    long bytes() {
        return known.bytes();
    }

    long hits() {
        return known.hits();
    }
}

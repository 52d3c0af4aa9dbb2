package dev.semel.server.catalog;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Where an index has met arrays: per field a bit for each step of its path, the first the lowest. A plan may rely on the
 * absence of a bit, so bits are set before the first entry that needs them can be seen, and are never taken back: too
 * many cost speed, too few would lose results.
 */
final class Multikey {
    private final AtomicReference<long[]> expected;
    private final AtomicReference<long[]> stored;

    Multikey(int fields) {
        expected = new AtomicReference<>(new long[fields]);
        stored = new AtomicReference<>(new long[fields]);
    }

    /** Of an index of which nothing is known: there may be arrays everywhere. */
    static Multikey unknown(int fields) {
        Multikey multikey = new Multikey(fields);
        long[] all = new long[fields];
        Arrays.fill(all, -1);
        multikey.expect(all);
        return multikey;
    }

    /** What plans go by; the transaction that wrote the entry may still be open, or rolled back. */
    long[] steps() {
        return expected.get();
    }

    void expect(long[] more) {
        expected.updateAndGet(now -> with(now, more));
    }

    /** A committed catalog row says so. */
    void store(int field, int step) {
        long[] more = new long[stored.get().length];
        more[field] = 1L << step;
        stored.updateAndGet(now -> with(now, more));
        expect(more);
    }

    boolean isStored(long[] steps) {
        long[] now = stored.get();
        return Arrays.equals(with(now, steps), now);
    }

    boolean isStored(int field, int step) {
        return (stored.get()[field] & 1L << step) != 0;
    }

    private static long[] with(long[] now, long[] more) {
        long[] both = now.clone();
        for (int i = 0; i < both.length; i++) {
            both[i] |= more[i];
        }
        return both;
    }
}

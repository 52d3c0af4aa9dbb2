package dev.semel.store.rocks;

import dev.semel.store.Scan;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A scan whose first entries are known; what comes after them is read if anybody asks for it. */
final class KnownScan implements Scan {
    private final ScanCache.Entries entries;
    private final boolean reverse;
    private final Function<byte[], Scan> beyond;

    /** The place of the current entry. */
    private int at = -1;

    private @Nullable Scan rest;

    /**
     * @param reverse only if they are whole
     * @param beyond opens the scan of what comes after a key
     */
    KnownScan(ScanCache.Entries entries, boolean reverse, Function<byte[], Scan> beyond) {
        this.entries = reverse ? entries.reversed() : entries;
        this.reverse = reverse;
        this.beyond = beyond;
    }

    @Override
    public boolean next() {
        if (at + 1 < entries.keys().length) {
            at++;
            return true;
        }
        at = entries.keys().length;
        return !entries.isWhole() && rest().next();
    }

    private Scan rest() {
        Scan known = rest;
        if (known == null) {
            known = beyond.apply(entries.keys()[entries.keys().length - 1]);
            rest = known;
        }
        return known;
    }

    @Override
    public void seek(byte[] key) {
        byte[][] keys = entries.keys();
        while (at + 1 < keys.length && isBefore(keys[at + 1], key)) {
            at++;
        }
        if (at + 1 >= keys.length && !entries.isWhole()) {
            rest().seek(key);
        }
    }

    private boolean isBefore(byte[] key, byte[] target) {
        int order = Arrays.compareUnsigned(key, target);
        return reverse ? order > 0 : order < 0;
    }

    @Override
    public byte[] key() {
        return isKnown() ? entries.keys()[at] : rest().key();
    }

    @Override
    public byte[] value() {
        return isKnown() ? entries.values()[at] : rest().value();
    }

    @Override
    public byte[] transientValue() {
        return isKnown() ? entries.values()[at] : rest().transientValue();
    }

    private boolean isKnown() {
        if (at < 0 || (at >= entries.keys().length && entries.isWhole())) {
            throw new IllegalStateException("not on an entry");
        }
        return at < entries.keys().length;
    }

    @Override
    public boolean hasValuesAtHand() {
        return at < entries.keys().length || entries.isWhole() || rest().hasValuesAtHand();
    }

    @Override
    public void close() {
        at = -1;
        if (rest != null) {
            rest.close();
        }
    }
}

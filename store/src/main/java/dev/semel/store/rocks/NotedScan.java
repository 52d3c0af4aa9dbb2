package dev.semel.store.rocks;

import dev.semel.store.Scan;
import java.util.ArrayList;
import java.util.List;

/** A scan of a short range from its beginning on that leaves what it has found to the next one. */
final class NotedScan implements Scan {
    private static final byte[] NOTHING = {};

    /** More would leave the room for others. */
    private static final int BYTES_MAX = 2 << 10;

    private final Scan scan;
    private final boolean reverse;
    private final ScanCache cache;
    private final byte[] beginning;
    private final long snapshot;
    private final List<byte[]> keys = new ArrayList<>();
    private final List<byte[]> values = new ArrayList<>();
    private long bytes;
    private boolean isNoted = true;

    NotedScan(Scan scan, boolean reverse, ScanCache cache, byte[] beginning, long snapshot) {
        this.scan = scan;
        this.reverse = reverse;
        this.cache = cache;
        this.beginning = beginning;
        this.snapshot = snapshot;
    }

    @Override
    public boolean next() {
        boolean found = scan.next();
        if (isNoted) {
            if (found) {
                note();
            } else {
                leave(true);
            }
        }
        return found;
    }

    private void note() {
        // If reading it fails, what comes later is not to be noted without it.
        isNoted = false;
        byte[] key = scan.key();
        byte[] value = scan.value();
        isNoted = true;
        bytes += key.length + value.length;
        if (keys.size() == ScanCache.ENTRIES_MAX || bytes > BYTES_MAX) {
            leave(false);
        } else {
            keys.add(key);
            values.add(value.length == 0 ? NOTHING : value);
        }
    }

    private void leave(boolean isWhole) {
        isNoted = false;
        if (isWhole || !reverse) {
            ScanCache.Entries found =
                    new ScanCache.Entries(keys.toArray(byte[][]::new), values.toArray(byte[][]::new), isWhole);
            cache.read(beginning, reverse ? found.reversed() : found, snapshot);
        }
        keys.clear();
        values.clear();
    }

    @Override
    public byte[] key() {
        return scan.key();
    }

    @Override
    public byte[] value() {
        return scan.value();
    }

    @Override
    public byte[] transientValue() {
        return scan.transientValue();
    }

    @Override
    public void seek(byte[] key) {
        if (isNoted && !keys.isEmpty()) {
            leave(false);
        }
        isNoted = false;
        scan.seek(key);
    }

    @Override
    public boolean hasValuesAtHand() {
        return scan.hasValuesAtHand();
    }

    @Override
    public void close() {
        if (isNoted && !keys.isEmpty()) {
            leave(false);
        }
        scan.close();
    }
}

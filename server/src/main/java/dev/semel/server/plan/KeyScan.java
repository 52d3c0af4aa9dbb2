package dev.semel.server.plan;

import dev.semel.server.catalog.Index;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The wanted keys of an index, in either direction. */
final class KeyScan implements AutoCloseable {
    private final Index index;
    private final KeyBounds bounds;
    private final boolean reverse;
    private final Reading reading;
    private @Nullable Scan scan;
    private byte @Nullable [] key;
    private long examined;

    KeyScan(Index index, KeyBounds bounds, boolean reverse, Reading reading) {
        this.index = index;
        this.bounds = bounds;
        this.reverse = reverse;
        this.reading = reading;
    }

    boolean next() {
        Scan from = scan == null ? open(reading.snapshot()) : scan;
        while (from.next()) {
            reading.count();
            examined++;
            byte[] found = from.key();
            key = found;
            if (bounds.isContiguous()) {
                return true;
            }
            byte[] beyond = bounds.beyond(found, reverse);
            if (beyond == null) {
                return true;
            }
            if (Arrays.equals(beyond, KeyBounds.END)) {
                return false;
            }
            from.seek(beyond);
        }
        return false;
    }

    private Scan open(Snapshot snapshot) {
        KeyRange all = bounds.hull();
        byte[] last = key;
        KeyRange rest = last == null
                ? all
                : reverse ? new KeyRange(all.low(), last) : new KeyRange(KeyRange.successor(last), all.high());
        Scan opened = snapshot.scan(index.table(), rest, reverse);
        scan = opened;
        return opened;
    }

    byte[] key() {
        byte[] current = key;
        if (current == null) {
            throw new IllegalStateException("no key");
        }
        return current;
    }

    /** For an index whose entries are the documents. */
    byte[] value() {
        Scan from = scan;
        if (from == null) {
            throw new IllegalStateException("no key");
        }
        return from.value();
    }

    /** From the beginning to the last key, or to the end if there was no further one. */
    KeyRange looked(boolean toEnd) {
        KeyRange all = bounds.hull();
        byte[] last = key;
        if (toEnd || last == null) {
            return all;
        }
        return reverse ? new KeyRange(last, all.high()) : new KeyRange(all.low(), KeyRange.successor(last));
    }

    long examined() {
        return examined;
    }

    @Override
    public void close() {
        Scan open = scan;
        if (open != null) {
            open.close();
            scan = null;
        }
    }
}

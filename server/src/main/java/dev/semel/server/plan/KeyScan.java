package dev.semel.server.plan;

import dev.semel.server.catalog.Index;
import dev.semel.store.key.KeyRange;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The wanted keys of an index, in either direction. */
final class KeyScan implements AutoCloseable {
    private final KeyBounds bounds;
    private final boolean reverse;
    private final TableScan entries;
    private byte @Nullable [] key;

    KeyScan(Index index, KeyBounds bounds, boolean reverse, Reading reading) {
        this.bounds = bounds;
        this.reverse = reverse;
        this.entries = new TableScan(index.table(), bounds.hull(), reverse, reading);
    }

    boolean next() {
        while (entries.next()) {
            byte[] found = entries.key();
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
            entries.seek(beyond);
        }
        return false;
    }

    boolean canSeek() {
        return entries.canSeek();
    }

    /** The next key is this one or lies behind it. */
    void seek(byte[] key) {
        entries.seek(key);
    }

    byte[] key() {
        byte[] current = key;
        if (current == null) {
            throw new IllegalStateException("no key");
        }
        return current;
    }

    /** What the entry holds beside its key. */
    byte[] value() {
        return entries.value();
    }

    /** From the beginning to the last key, or to the end if there was no further one. */
    KeyRange looked(boolean toEnd) {
        return looked(key, toEnd);
    }

    /** The same up to an earlier key, where nobody has asked for those behind it yet. */
    KeyRange looked(byte @Nullable [] last, boolean toEnd) {
        return entries.looked(last, toEnd);
    }

    long examined() {
        return entries.examined();
    }

    @Override
    public void close() {
        entries.close();
    }
}

package dev.semel.server.plan;

import dev.semel.store.Scan;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import org.jspecify.annotations.Nullable;

/** A part of a table, in either direction. Can be given back at any time: it goes on behind the key it stood on. */
final class TableScan implements AutoCloseable {
    private final Table table;
    private final KeyRange range;
    private final boolean reverse;
    private final Reading reading;
    private @Nullable Scan scan;
    private byte @Nullable [] last;
    private boolean isOnKey;
    private boolean isOver;
    private long examined;

    TableScan(Table table, KeyRange range, boolean reverse, Reading reading) {
        this.table = table;
        this.range = range;
        this.reverse = reverse;
        this.reading = reading;
    }

    boolean next() {
        if (isOver || reading.isSuspended()) {
            return false;
        }
        Scan from = scan == null ? open() : scan;
        isOnKey = false;
        if (!from.next()) {
            isOver = true;
            return false;
        }
        isOnKey = true;
        last = null;
        reading.count();
        examined++;
        return true;
    }

    private Scan open() {
        byte[] behind = last;
        KeyRange rest = behind == null
                ? range
                : reverse ? new KeyRange(range.low(), behind) : new KeyRange(KeyRange.successor(behind), range.high());
        Scan opened = reading.snapshot().scan(table, rest, reverse);
        scan = opened;
        return opened;
    }

    /** Not before the first key, nor after it was given back. */
    boolean canSeek() {
        return scan != null;
    }

    /** The next key is this one or lies behind it. */
    void seek(byte[] key) {
        current().seek(key);
    }

    byte[] key() {
        byte[] known = last;
        if (known == null) {
            known = current().key();
            last = known;
        }
        return known;
    }

    byte[] value() {
        return current().value();
    }

    /** Valid until the scan moves. */
    byte[] transientValue() {
        return current().transientValue();
    }

    /** Whether {@link #value} is there anyway. */
    boolean hasValuesAtHand() {
        return current().hasValuesAtHand();
    }

    private Scan current() {
        Scan from = scan;
        if (from == null) {
            throw new IllegalStateException("not on a key");
        }
        return from;
    }

    long examined() {
        return examined;
    }

    /** From the beginning to the last key that it has been on, or to the end if there was no further one. */
    KeyRange looked(boolean toEnd) {
        return looked(isOnKey ? key() : last, toEnd);
    }

    /** The same for a caller that knows the last key itself. */
    KeyRange looked(byte @Nullable [] key, boolean toEnd) {
        if (toEnd || key == null) {
            return range;
        }
        return reverse ? new KeyRange(key, range.high()) : new KeyRange(range.low(), KeyRange.successor(key));
    }

    @Override
    public void close() {
        Scan open = scan;
        if (open != null) {
            if (isOnKey) {
                last = key();
            }
            open.close();
            scan = null;
        }
    }
}

package dev.semel.server.changes;

import dev.semel.server.oplog.LoggedChanges;
import dev.semel.server.oplog.OplogReader;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The changes in the log one by one, those that share an entry included. */
final class Operations implements AutoCloseable {
    /** A larger entry is not kept while nobody reads: it is read again. */
    private static final int IDLE_ENTRY_BYTES_MAX = 64 << 10;

    private final OplogReader entries;

    /** The one that holds several changes, as long as some are left. */
    private RawDocument entry = RawDocument.EMPTY;

    /** Its changes; null without one. */
    private @Nullable ElementCursor several;

    /** Of the change returned last in its entry. */
    private int position;

    /** Whether some are left of an entry that has been let go of. */
    private boolean isLeft;

    Operations(OplogReader entries) {
        this.entries = entries;
    }

    /**
     * One change.
     *
     * @param entry that holds it, or is it
     */
    record Operation(RawDocument entry, RawDocument change, long time, int position) {
        /** Whether it is part of a session's transaction: the statements of other writes are numbered. */
        boolean isInTransaction() {
            return entry.has("lsid") && !change.has("stmtId");
        }
    }

    @Nullable
    Operation next() {
        if (isLeft) {
            goOn();
        }
        while (true) {
            ElementCursor open = several;
            if (open != null) {
                if (open.next()) {
                    position++;
                    RawDocument change = RawDocument.view(open.array(), open.valueStart());
                    return new Operation(entry, change, entries.position(), position);
                }
                several = null;
                entry = RawDocument.EMPTY;
            }
            RawDocument next = entries.next();
            if (next == null) {
                return null;
            }
            position = 0;
            RawDocument operations = LoggedChanges.of(next);
            if (operations == null) {
                return new Operation(next, next, entries.position(), 0);
            }
            entry = next;
            several = operations.cursor();
            position = -1;
        }
    }

    /** Behind the change returned last. */
    private void goOn() {
        RawDocument again = entries.again();
        RawDocument operations = LoggedChanges.of(again);
        if (operations == null) {
            throw new IllegalStateException("no longer an entry of several changes: " + entries.position());
        }
        ElementCursor open = operations.cursor();
        for (int i = 0; i <= position; i++) {
            open.next();
        }
        entry = again;
        several = open;
        isLeft = false;
    }

    /** What the change just returned has replaced; null if it was not kept. */
    @Nullable
    RawDocument replaced(Operation current) {
        return entries.replaced(current.position());
    }

    /** Everything up to this time has been returned, after {@link #next} has returned null. */
    long time() {
        return entries.position();
    }

    boolean await(Interruption interruption, Duration atMost) {
        return entries.await(interruption, atMost);
    }

    void pause() {
        entries.pause();
        if (several != null && entry.length() > IDLE_ENTRY_BYTES_MAX) {
            entry = RawDocument.EMPTY;
            several = null;
            isLeft = true;
        }
    }

    @Override
    public void close() {
        entries.close();
    }
}

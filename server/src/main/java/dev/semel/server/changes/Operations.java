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
    private final OplogReader entries;
    private RawDocument entry = RawDocument.EMPTY;

    /** Of the entry that holds several; null for one that is a change itself. */
    private @Nullable ElementCursor several;

    private int position;

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
        while (true) {
            ElementCursor open = several;
            if (open != null) {
                if (open.next()) {
                    position++;
                    RawDocument change = RawDocument.view(open.array(), open.valueStart());
                    return new Operation(entry, change, entries.position(), position);
                }
                several = null;
            }
            RawDocument next = entries.next();
            if (next == null) {
                return null;
            }
            entry = next;
            position = 0;
            RawDocument operations = LoggedChanges.of(next);
            if (operations == null) {
                return new Operation(next, next, entries.position(), 0);
            }
            several = operations.cursor();
            position = -1;
        }
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
    }

    @Override
    public void close() {
        entries.close();
    }
}

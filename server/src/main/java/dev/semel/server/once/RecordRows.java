package dev.semel.server.once;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.HexFormat;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Rows of a table, in one snapshot, one after the other as documents: above all what is kept of writes that may come again. */
public final class RecordRows implements AutoCloseable {
    /** The digest of no user: who is not authenticated has no name. */
    static final Value.Binary NOBODY = new Value.Binary(
            (byte) 0, HexFormat.of().parseHex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));

    private final Snapshot snapshot;
    private final Table table;
    private final BiFunction<byte[], byte[], RawDocument> document;
    private KeyRange rest;
    private @Nullable Scan scan;

    /**
     * Takes over the snapshot.
     *
     * @param document from key and value
     */
    public RecordRows(
            Snapshot snapshot, Table table, KeyRange range, BiFunction<byte[], byte[], RawDocument> document) {
        this.snapshot = snapshot;
        this.table = table;
        this.rest = range;
        this.document = document;
    }

    /** The sessions' newest numbers; takes over the snapshot. */
    public static RecordRows ofSessions(Snapshot snapshot) {
        return new RecordRows(snapshot, Table.RECORDS, RecordKeys.SESSIONS, SessionRow::document);
    }

    /** The tokens; takes over the snapshot. */
    public static RecordRows ofTokens(Snapshot snapshot) {
        return new RecordRows(snapshot, Table.RECORDS, TokenKeys.TOKENS, TokenRow::document);
    }

    public @Nullable RawDocument next() {
        Scan open = scan;
        if (open == null) {
            open = snapshot.scan(table, rest, false);
            scan = open;
        }
        if (!open.next()) {
            return null;
        }
        byte[] key = open.key();
        rest = new KeyRange(KeyRange.successor(key), rest.high());
        return document.apply(key, open.value());
    }

    /** Until the next row is wanted, which may take long, nothing is kept open. */
    public void pause() {
        Scan open = scan;
        scan = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() {
        pause();
        snapshot.close();
    }
}

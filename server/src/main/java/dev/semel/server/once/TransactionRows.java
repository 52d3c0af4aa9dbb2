package dev.semel.server.once;

import dev.semel.server.auth.UserDigest;
import dev.semel.server.session.SessionId;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The sessions' newest rows in one snapshot, one after the other, as MongoDB shows them in {@code config.transactions}. */
public final class TransactionRows implements AutoCloseable {
    /** The digest of no user: who is not authenticated has no name. */
    private static final Value.Binary NOBODY = new Value.Binary(
            (byte) 0, HexFormat.of().parseHex("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));

    private static final long TERM = 1;

    private final Snapshot snapshot;
    private KeyRange rest = RecordKeys.SESSIONS;
    private @Nullable Scan scan;

    /** Takes over the snapshot. */
    public TransactionRows(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    public @Nullable RawDocument next() {
        Scan open = scan;
        if (open == null) {
            open = snapshot.scan(Table.RECORDS, rest, false);
            scan = open;
        }
        if (!open.next()) {
            return null;
        }
        byte[] key = open.key();
        rest = new KeyRange(KeyRange.successor(key), rest.high());
        return document(key, new NumberRecord(open.value()));
    }

    private static RawDocument document(byte[] key, NumberRecord record) {
        BsonWriter out = new BsonWriter(192)
                .startDocument("_id")
                .put("id", RecordKeys.session(key).toValue())
                .put("uid", owner(RecordKeys.session(key)))
                .end()
                .put("txnNum", record.number())
                .startDocument("lastWriteOpTime")
                .put("ts", new Value.Timestamp(record.opTime()))
                .put("t", TERM)
                .end()
                .put("lastWriteDate", new Value.Date(record.writtenMillis()));
        if (record.use() == NumberRecord.Use.TRANSACTION) {
            out.put("state", "committed");
        }
        return out.finish();
    }

    private static Value owner(SessionId session) {
        UserDigest owner = session.owner();
        return owner == null ? NOBODY : new Value.Binary((byte) 0, owner.toBytes());
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

package dev.semel.server.once;

import dev.semel.server.auth.UserDigest;
import dev.semel.server.session.SessionId;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;

/** The newest number of a session as MongoDB shows it in {@code config.transactions}. */
final class SessionRow {
    private static final long TERM = 1;

    private SessionRow() {}

    static RawDocument document(byte[] key, byte[] row) {
        NumberRecord record = new NumberRecord(row);
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
        return owner == null ? RecordRows.NOBODY : new Value.Binary((byte) 0, owner.toBytes());
    }
}

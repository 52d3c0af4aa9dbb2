package dev.semel.server.once;

import dev.semel.server.auth.UserDigest;
import dev.semel.server.once.TokenRecord.State;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;

/** A token as {@code config.onceTokens} shows it, in the words of {@code writeOutcome}. */
final class TokenRow {
    private TokenRow() {}

    static RawDocument document(byte[] key, byte[] row) {
        TokenRecord record = new TokenRecord(row);
        UserDigest owner = TokenKeys.owner(key);
        BsonWriter out = new BsonWriter(192)
                .startDocument("_id")
                .put("once", record.token())
                .put("uid", owner == null ? RecordRows.NOBODY : new Value.Binary((byte) 0, owner.toBytes()))
                .end()
                .put("outcome", outcome(record.state()));
        if (record.state() != State.FENCE) {
            out.put("command", record.command().text()).put("statements", record.statements());
        }
        return out.put("written", new Value.Date(record.writtenMillis()))
                .put("expires", new Value.Date(record.expiresMillis()))
                .finish();
    }

    private static String outcome(State state) {
        return switch (state) {
            case PARTLY -> "partlyApplied";
            case ENDED -> "applied";
            case FENCE -> "notApplied";
        };
    }
}

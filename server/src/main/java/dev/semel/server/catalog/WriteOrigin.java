package dev.semel.server.catalog;

import dev.semel.store.CommitDraft;
import dev.semel.store.RecordPart;
import dev.semel.wire.bson.RawDocument;
import java.util.List;

/**
 * The session and statement for which a transaction writes, for its entries in the operation log. It is appended by the code
 * that knows it: a session transaction's anywhere, a retryable statement's before what the statement writes. It stores nothing.
 *
 * @param lsid the session's id as entries show it
 * @param stmtId of the statement whose writes follow; -1 for a transaction, whose writes belong together
 */
public record WriteOrigin(RawDocument lsid, long txnNumber, int stmtId) implements RecordPart {
    public boolean isTransaction() {
        return stmtId < 0;
    }

    @Override
    public void addTo(CommitDraft draft, List<RecordPart> all) {}
}

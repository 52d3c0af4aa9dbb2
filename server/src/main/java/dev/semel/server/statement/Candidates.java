package dev.semel.server.statement;

import dev.semel.server.command.Call;
import dev.semel.server.plan.Decision;
import dev.semel.server.plan.Run;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.bson.RawDocument;

/**
 * The documents that a statement is about to change, found in one look. Each has to be locked, and then be the newest
 * version of itself, or the look was in vain.
 */
final class Candidates implements AutoCloseable {
    private final Transaction transaction;
    private final Snapshot look;
    private final Run run;
    private final Call call;

    /** Takes over the look. */
    Candidates(Transaction transaction, Snapshot look, Decision decision, Call call) {
        this.transaction = transaction;
        this.look = look;
        this.run = decision.open(look, call.interruption());
        this.call = call;
    }

    boolean next() {
        return run.next();
    }

    byte[] key() {
        return run.key();
    }

    RawDocument document() {
        return run.document();
    }

    /** Locks the current one; false if the statement has to look again. */
    boolean lock() {
        byte[] key = run.key();
        transaction.lockExclusive(Table.DOCUMENTS, key);
        return switch (transaction.isolation()) {
            case STATEMENT -> !transaction.changedSinceSnapshot(Table.DOCUMENTS, key);
            case SNAPSHOT -> {
                transaction.requireUnchanged(Table.DOCUMENTS, key);
                yield true;
            }
            case SERIALIZABLE, READ_UNCOMMITTED ->
                !transaction.changedSince(look, Table.DOCUMENTS, KeyRange.point(key));
        };
    }

    @Override
    public void close() {
        call.examined(run.keysExamined(), run.documentsExamined());
        run.close();
        look.close();
    }
}

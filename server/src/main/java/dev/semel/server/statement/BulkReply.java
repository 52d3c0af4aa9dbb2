package dev.semel.server.statement;

import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** The answer of {@code bulkWrite}: a cursor over one document per statement, and sums. */
public final class BulkReply {
    private final List<RawDocument> results = new ArrayList<>();
    private final boolean errorsOnly;
    private int errors;
    private int inserted;
    private int matched;
    private int modified;
    private int upserted;
    private int deleted;

    public BulkReply(Results outcomes, List<Write> statements, boolean errorsOnly) {
        this(outcomes, index -> statements.get(index) instanceof Write.Update, errorsOnly);
    }

    /** {@code updates} says which statements are updates. */
    public BulkReply(Results outcomes, IntPredicate updates, boolean errorsOnly) {
        this.errorsOnly = errorsOnly;
        for (int i = 0; i < outcomes.statements(); i++) {
            switch (outcomes.get(i)) {
                case Outcome.Inserted() -> {
                    inserted++;
                    add(succeeded(i, 1));
                }
                case Outcome.Deleted(long documents) -> {
                    deleted += (int) documents;
                    add(succeeded(i, documents));
                }
                case Outcome.Updated updated -> add(updated(i, updated));
                case Outcome.Failed(CommandException error) -> failed(i, error, updates.test(i));
                case null -> {}
            }
        }
    }

    private void add(BsonWriter result) {
        if (!errorsOnly) {
            results.add(result.finish());
        }
    }

    private static BsonWriter succeeded(int index, long documents) {
        return new BsonWriter(48).put("ok", 1.0).put("idx", index).put("n", (int) documents);
    }

    private BsonWriter updated(int index, Outcome.Updated update) {
        Value id = update.upserted();
        matched += (int) update.matched();
        modified += (int) update.modified();
        BsonWriter result =
                succeeded(index, update.matched() + (id == null ? 0 : 1)).put("nModified", (int) update.modified());
        if (id != null) {
            upserted++;
            result.startDocument("upserted").put("_id", id).end();
        }
        return result;
    }

    private void failed(int index, CommandException error, boolean updates) {
        errors++;
        BsonWriter result = new BsonWriter()
                .put("ok", 0.0)
                .put("idx", index)
                .put("code", error.code().number())
                .copyAll(error.details().fields())
                .put("errmsg", error.text())
                .put("n", 0);
        if (updates) {
            result.put("nModified", 0);
        }
        results.add(result.finish());
    }

    /** What the cursor gives. */
    public List<RawDocument> results() {
        return results;
    }

    public void writeSums(BsonWriter reply) {
        reply.put("nErrors", errors)
                .put("nInserted", inserted)
                .put("nMatched", matched)
                .put("nModified", modified)
                .put("nUpserted", upserted)
                .put("nDeleted", deleted);
    }
}

package dev.semel.server.statement;

import dev.semel.server.command.Reply;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;

/** The answer of {@code insert}, {@code update} and {@code delete}. */
public final class WriteReply {
    private WriteReply() {}

    public static Reply of(Results results, boolean updates) {
        long n = 0;
        long nModified = 0;
        int upserts = 0;
        int errors = 0;
        for (int i = 0; i < results.statements(); i++) {
            switch (results.get(i)) {
                case Outcome.Inserted() -> n++;
                case Outcome.Deleted(long documents) -> n += documents;
                case Outcome.Updated(long matched, long modified, var upserted) -> {
                    n += matched + (upserted == null ? 0 : 1);
                    nModified += modified;
                    upserts += upserted == null ? 0 : 1;
                }
                case Outcome.Failed ignored -> errors++;
                case null -> {}
            }
        }
        BsonWriter reply = new BsonWriter().put("n", (int) n);
        if (updates) {
            reply.put("nModified", (int) nModified);
        }
        if (upserts > 0) {
            upserted(reply, results);
        }
        if (errors > 0) {
            writeErrors(reply, results);
        }
        results.writeRetried(reply);
        return Reply.of(reply);
    }

    private static void upserted(BsonWriter reply, Results results) {
        reply.startArray("upserted");
        for (int i = 0; i < results.statements(); i++) {
            if (results.get(i) instanceof Outcome.Updated(long matched, long modified, var id) && id != null) {
                reply.startDocument().put("index", i).put("_id", id).end();
            }
        }
        reply.end();
    }

    private static void writeErrors(BsonWriter reply, Results results) {
        reply.startArray("writeErrors");
        for (int i = 0; i < results.statements(); i++) {
            if (results.get(i) instanceof Outcome.Failed(CommandException error)) {
                reply.startDocument()
                        .put("index", i)
                        .put("code", error.code().number())
                        .put("codeName", error.code().codeName())
                        .copyAll(error.details().fields())
                        .put("errmsg", error.text())
                        .end();
            }
        }
        reply.end();
    }
}

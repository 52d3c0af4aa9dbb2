package dev.semel.server.commands;

import dev.semel.server.once.StatementRecord;
import dev.semel.server.once.StatementRecord.Answered;
import dev.semel.server.once.StatementRecord.Failed;
import dev.semel.server.once.Statements;
import dev.semel.server.once.TokenRecord;
import dev.semel.server.statement.BulkReply;
import dev.semel.server.statement.Results;
import dev.semel.server.statement.TokenOutcomes;
import dev.semel.server.statement.WriteReply;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;

/** The reply to a command with a token, for a client that asks and has the token only. */
final class TokenReply {
    private TokenReply() {}

    static RawDocument of(TokenRecord record, Statements statements) {
        return switch (record.command()) {
            case INSERT, DELETE ->
                finish(WriteReply.of(results(record, statements), false).fields());
            case UPDATE ->
                finish(WriteReply.of(results(record, statements), true).fields());
            case FIND_AND_MODIFY -> answer(statements);
            case BULK_WRITE -> bulk(record, statements);
        };
    }

    private static RawDocument finish(BsonWriter fields) {
        return fields.put("ok", 1.0).finish();
    }

    private static Results results(TokenRecord record, Statements statements) {
        Results results = new Results(record.statements());
        for (int i = 0; i < record.statements(); i++) {
            StatementRecord found = statements.find(i);
            if (found != null) {
                results.set(i, TokenOutcomes.outcome(found));
            }
        }
        return results;
    }

    private static RawDocument answer(Statements statements) {
        StatementRecord found = statements.find(0);
        if (found instanceof Answered(RawDocument reply)) {
            return finish(new BsonWriter(reply.length() + 32).copyAll(reply));
        }
        BsonWriter out = new BsonWriter().put("ok", 0.0);
        if (found instanceof Failed(CommandException error, boolean ofUpdate)) {
            out.put("errmsg", error.text())
                    .put("code", error.code().number())
                    .put("codeName", error.code().codeName())
                    .copyAll(error.details().fields());
        }
        return out.finish();
    }

    /** With all results, whatever the command wanted of them. */
    private static RawDocument bulk(TokenRecord record, Statements statements) {
        BulkReply bulk = new BulkReply(
                results(record, statements),
                index -> statements.find(index) instanceof Failed failed && failed.ofUpdate(),
                false);
        BsonWriter out = new BsonWriter();
        out.startDocument("cursor").startArray("firstBatch");
        bulk.results().forEach(out::add);
        out.end().put("id", 0L).put("ns", "admin.$cmd.bulkWrite").end();
        bulk.writeSums(out);
        return finish(out);
    }
}

package dev.semel.server.commands;

import dev.semel.server.command.Call;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import java.util.Set;

/** What an aggregation must not do inside a session transaction: write by itself, or look at what has no snapshot. */
final class InTransaction {
    private static final Set<String> REFUSED = Set.of(
            "$changeStream",
            "$collStats",
            "$currentOp",
            "$indexStats",
            "$listLocalSessions",
            "$listSessions",
            "$merge",
            "$out",
            "$planCacheStats");

    private InTransaction() {}

    static void check(AggregateArgs args, Call call) {
        if (!call.isInSessionTransaction()) {
            return;
        }
        if (args.explain()) {
            throw refused("explain");
        }
        for (RawDocument stage : args.stages()) {
            Element first = stage.first();
            if (first != null && REFUSED.contains(first.name())) {
                throw refused(first.name());
            }
        }
    }

    private static CommandException refused(String what) {
        return new CommandException(
                ErrorCode.OperationNotSupportedInTransaction,
                "Operation not permitted in transaction :: caused by :: Aggregation stage %s cannot run within a"
                        + " multi-document transaction",
                what);
    }
}

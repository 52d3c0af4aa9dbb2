package dev.semel.server.statement;

import dev.semel.server.once.StatementRecord;
import dev.semel.server.once.StatementRecord.Answered;
import dev.semel.server.once.StatementRecord.Deleted;
import dev.semel.server.once.StatementRecord.DeletedMany;
import dev.semel.server.once.StatementRecord.Failed;
import dev.semel.server.once.StatementRecord.Inserted;
import dev.semel.server.once.StatementRecord.Updated;
import dev.semel.server.once.StatementRecord.UpdatedMany;
import dev.semel.wire.CommandException;
import org.jspecify.annotations.Nullable;

/** Encodes outcomes of statements as they are stored for a token, and decodes them. */
public final class TokenOutcomes {
    private TokenOutcomes() {}

    /** Null if there is nothing to store: the statement has not been run, or may be run again. */
    static @Nullable StatementRecord record(@Nullable Outcome outcome, boolean ofUpdate) {
        return switch (outcome) {
            case Outcome.Inserted() -> StatementRecord.INSERTED;
            case Outcome.Updated(long matched, long modified, var upserted) ->
                matched > 1 ? new UpdatedMany(matched, modified) : new Updated(matched == 1, modified == 1, upserted);
            case Outcome.Deleted(long documents) ->
                documents > 1 ? new DeletedMany(documents) : new Deleted(documents == 1);
            case Outcome.Failed(CommandException error) ->
                Failures.isResult(error) ? new Failed(error, ofUpdate) : null;
            case null -> null;
        };
    }

    /** Only an answer is not made of outcomes. */
    public static Outcome outcome(StatementRecord record) {
        return switch (record) {
            case Inserted() -> Outcome.INSERTED;
            case Updated(boolean matched, boolean modified, var upserted) ->
                new Outcome.Updated(matched ? 1 : 0, modified ? 1 : 0, upserted);
            case Deleted(boolean found) -> new Outcome.Deleted(found ? 1 : 0);
            case UpdatedMany(long matched, long modified) -> new Outcome.Updated(matched, modified, null);
            case DeletedMany(long documents) -> new Outcome.Deleted(documents);
            case Failed(CommandException error, boolean ofUpdate) -> new Outcome.Failed(error);
            case Answered ignored -> throw new IllegalStateException("an answer is no outcome");
        };
    }
}

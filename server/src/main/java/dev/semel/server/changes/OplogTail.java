package dev.semel.server.changes;

import dev.semel.query.pipeline.Pipeline;
import dev.semel.query.pipeline.Source;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Tail;
import dev.semel.server.oplog.OplogReader;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The entries of the log, those to come included. */
final class OplogTail implements Tail {
    private final OplogReader entries;
    private final boolean waits;
    private final CurrentCall current;
    private final Source results;
    private Interruption interruption = Interruption.unlimited();

    OplogTail(OplogReader entries, Pipeline pipeline, boolean waits, CurrentCall current) {
        this.entries = entries;
        this.waits = waits;
        this.current = current;
        this.results = pipeline.open(
                new Source() {
                    @Override
                    public @Nullable RawDocument next() {
                        interruption.check();
                        return entries.next();
                    }

                    @Override
                    public void close() {
                        entries.close();
                    }
                },
                false);
    }

    @Override
    public void resume(Call call) {
        current.set(call);
        interruption = call.interruption();
    }

    @Override
    public @Nullable RawDocument next() {
        return results.next();
    }

    @Override
    public boolean await(Duration atMost) {
        return entries.await(interruption, atMost);
    }

    @Override
    public boolean waits() {
        return waits;
    }

    @Override
    public CommandException told(CommandException failure) {
        return failure.code().equals(ErrorCode.ChangeStreamHistoryLost)
                ? new CommandException(
                        ErrorCode.CappedPositionLost,
                        "CollectionScan died due to position in capped collection being deleted.")
                : failure;
    }

    @Override
    public void pause() {
        entries.pause();
    }

    @Override
    public void close() {
        results.close();
    }
}

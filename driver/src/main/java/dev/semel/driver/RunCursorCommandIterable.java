package dev.semel.driver;

import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import java.time.Duration;
import org.bson.BsonValue;
import org.bson.codecs.Decoder;
import org.jspecify.annotations.Nullable;

/**
 * A command that returns a cursor, run unchanged; the options apply to the batches after the first. Not to be shared
 * between threads.
 */
public final class RunCursorCommandIterable<T> implements MongoIterable<T> {
    private final Scope scope;
    private final @Nullable ClientSession session;
    private final CommandOperation<CursorPage> command;
    private final Decoder<T> decoder;
    private int batchSize;
    private @Nullable Duration maxTime;
    private @Nullable BsonValue comment;
    private @Nullable TimeoutMode timeoutMode;
    private CursorType cursorType = CursorType.NON_TAILABLE;

    RunCursorCommandIterable(
            Scope scope, @Nullable ClientSession session, CommandOperation<CursorPage> command, Decoder<T> decoder) {
        this.scope = scope;
        this.session = session;
        this.command = command;
        this.decoder = decoder;
    }

    @Override
    public RunCursorCommandIterable<T> batchSize(int value) {
        batchSize = value;
        return this;
    }

    /** How long the server waits for each batch after the first; only for cursors that wait for new documents. */
    public RunCursorCommandIterable<T> maxTime(@Nullable Duration value) {
        maxTime = value;
        return this;
    }

    public RunCursorCommandIterable<T> comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }

    public RunCursorCommandIterable<T> timeoutMode(@Nullable TimeoutMode value) {
        timeoutMode = value;
        return this;
    }

    /** The kind of cursor that the command opens; the driver does not inspect the command. */
    public RunCursorCommandIterable<T> cursorType(CursorType value) {
        cursorType = value;
        return this;
    }

    @Override
    public MongoCursor<T> cursor() {
        return scope.open(
                command,
                session,
                decoder,
                new Fetch(batchSize, 0, Fetch.Waiting.of(cursorType), maxTime, comment, timeoutMode));
    }
}

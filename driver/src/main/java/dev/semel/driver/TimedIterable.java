package dev.semel.driver;

import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.ReadPreference;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.codecs.Decoder;
import org.jspecify.annotations.Nullable;

/** Options of operations with time limits. */
public abstract sealed class TimedIterable<T, S extends TimedIterable<T, S>> extends CursorIterable<T, S>
        permits SelectingIterable,
                ListCollectionsIterable,
                ListDatabasesIterable,
                ListIndexesIterable,
                ListSearchIndexesIterable {
    private @Nullable Duration maxTime;
    private @Nullable TimeoutMode timeoutMode;

    TimedIterable(Scope scope, @Nullable ClientSession session, Decoder<T> decoder) {
        super(scope, session, decoder);
    }

    /** Time limit on the server; null: no limit. A timeout of the view replaces it. */
    public S maxTime(@Nullable Duration value) {
        maxTime = value;
        return self();
    }

    public S maxTime(long value, TimeUnit unit) {
        return maxTime(Duration.of(value, unit.toChronoUnit()));
    }

    /** What the timeout limits; null: the default of {@link TimeoutMode}. */
    public S timeoutMode(@Nullable TimeoutMode value) {
        timeoutMode = value;
        return self();
    }

    final @Nullable Duration maxTime() {
        return maxTime;
    }

    final @Nullable TimeoutMode timeoutMode() {
        return timeoutMode;
    }

    final Fetch fetch() {
        return new Fetch(batchSize(), 0, Fetch.Waiting.NEVER, null, comment(), timeoutMode);
    }

    /** Runs a command that lists databases, collections or indexes: on the primary, without a read concern. */
    final MongoCursor<T> list(
            String command, String database, Consumer<Fields> fields, CommandOperation.Result<CursorPage> result) {
        var operation = CommandOperation.read(
                        command, database, ReadPreference.primary(), null, scope().codecs(), fields, result)
                .withMaxTime(maxTime);
        return scope().open(operation, session(), decoder(), fetch());
    }
}

package dev.semel.driver.model;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Options of operations with a time limit. */
public abstract sealed class TimedOptions<S extends TimedOptions<S>> extends CommentedOptions<S>
        permits EstimatedDocumentCountOptions, CreateIndexOptions, DropIndexOptions {
    private @Nullable Duration maxTime;

    /** Time limit on the server; null: no limit. A timeout of the client replaces it. */
    public @Nullable Duration getMaxTime() {
        return maxTime;
    }

    /** The same as a number; 0: no limit. */
    public long getMaxTime(TimeUnit unit) {
        return maxTime == null ? 0 : unit.convert(maxTime);
    }

    public S maxTime(@Nullable Duration value) {
        maxTime = value;
        return self();
    }

    public S maxTime(long value, TimeUnit unit) {
        return maxTime(Duration.of(value, unit.toChronoUnit()));
    }
}

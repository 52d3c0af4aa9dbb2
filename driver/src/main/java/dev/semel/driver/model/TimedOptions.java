package dev.semel.driver.model;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** For operations whose time can be limited. */
public abstract sealed class TimedOptions<S extends TimedOptions<S>> extends CommentedOptions<S>
        permits EstimatedDocumentCountOptions, CreateIndexOptions, DropIndexOptions {
    private @Nullable Duration maxTime;

    /** How long the server may work on it; null: as long as it likes. A timeout of the client stands in its place. */
    public @Nullable Duration getMaxTime() {
        return maxTime;
    }

    /** The same as a number; 0: as long as it likes. */
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

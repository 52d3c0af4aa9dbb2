package dev.semel.driver.model;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How to count. */
public final class CountOptions extends SelectingOptions<CountOptions> {
    private int limit;
    private int skip;
    private @Nullable Duration maxTime;

    /** After how many to stop; 0: never. */
    public int getLimit() {
        return limit;
    }

    public CountOptions limit(int value) {
        limit = value;
        return this;
    }

    /** How many not to count. */
    public int getSkip() {
        return skip;
    }

    public CountOptions skip(int value) {
        skip = value;
        return this;
    }

    /** Time limit on the server; null: no limit. A timeout of the client replaces it. */
    public @Nullable Duration getMaxTime() {
        return maxTime;
    }

    /** The same as a number; 0: no limit. */
    public long getMaxTime(TimeUnit unit) {
        return maxTime == null ? 0 : unit.convert(maxTime);
    }

    public CountOptions maxTime(@Nullable Duration value) {
        maxTime = value;
        return this;
    }

    public CountOptions maxTime(long value, TimeUnit unit) {
        return maxTime(Duration.of(value, unit.toChronoUnit()));
    }

    @Override
    CountOptions self() {
        return this;
    }
}

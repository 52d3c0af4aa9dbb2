package dev.semel.driver.model;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Options of {@code countDocuments}. */
public final class CountOptions extends SelectingOptions<CountOptions> {
    private int limit;
    private int skip;
    private @Nullable Duration maxTime;

    /** The largest number to count; 0: no limit. */
    public int getLimit() {
        return limit;
    }

    public CountOptions limit(int value) {
        limit = value;
        return this;
    }

    /** How many documents to skip before counting. */
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

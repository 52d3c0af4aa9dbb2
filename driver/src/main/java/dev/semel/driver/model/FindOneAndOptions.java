package dev.semel.driver.model;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** For operations that change one document and return it. */
public abstract sealed class FindOneAndOptions<S extends FindOneAndOptions<S>> extends SelectingOptions<S>
        implements OnceOptions<S> permits FindOneAndChangeOptions, FindOneAndDeleteOptions {
    private @Nullable Bson sort;
    private @Nullable Bson projection;
    private @Nullable Duration maxTime;

    /** Which of several matching documents is meant: the first in this order. */
    public @Nullable Bson getSort() {
        return sort;
    }

    public S sort(@Nullable Bson value) {
        sort = value;
        return self();
    }

    /** Which fields are returned; null: all. */
    public @Nullable Bson getProjection() {
        return projection;
    }

    public S projection(@Nullable Bson value) {
        projection = value;
        return self();
    }

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

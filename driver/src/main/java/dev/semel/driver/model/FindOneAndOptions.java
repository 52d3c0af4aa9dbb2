package dev.semel.driver.model;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of operations that change one document and return it. */
public abstract sealed class FindOneAndOptions<S extends FindOneAndOptions<S>> extends SelectingOptions<S>
        implements OnceOptions<S> permits FindOneAndChangeOptions, FindOneAndDeleteOptions {
    private @Nullable Bson sort;
    private @Nullable Bson projection;
    private @Nullable Duration maxTime;

    /** The sort order; the first of several matching documents is used. */
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

package dev.semel.driver;

import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.WriteConcern;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * The settings that clients, databases and collections pass to their operations. Each {@code with...} returns a new
 * view of the same object; this one does not change.
 *
 * @param <S> the view
 */
public interface Configured<S> {
    /** The codecs for values; by default those of the client. */
    CodecRegistry getCodecRegistry();

    /** The read preference; {@code primary} by default. */
    ReadPreference getReadPreference();

    /** The read concern; by default that of the server. */
    ReadConcern getReadConcern();

    /** The write concern; by default that of the server. */
    WriteConcern getWriteConcern();

    /**
     * The timeout of a whole operation: server selection, connection check-out, all attempts. Null: each step has its
     * own limit; zero: no limit.
     */
    @Nullable
    Duration getTimeout();

    default @Nullable Long getTimeout(TimeUnit unit) {
        Duration timeout = getTimeout();
        return timeout == null ? null : Long.valueOf(unit.convert(timeout));
    }

    S withCodecRegistry(CodecRegistry value);

    S withReadPreference(ReadPreference value);

    S withReadConcern(ReadConcern value);

    S withWriteConcern(WriteConcern value);

    /** A negative timeout raises {@link IllegalArgumentException}. */
    S withTimeout(@Nullable Duration value);

    default S withTimeout(long value, TimeUnit unit) {
        return withTimeout(Duration.of(value, unit.toChronoUnit()));
    }
}

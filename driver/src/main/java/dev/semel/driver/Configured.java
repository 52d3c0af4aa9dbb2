package dev.semel.driver;

import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.WriteConcern;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * What a client, a database and a collection hand down to their operations. Each {@code with...} gives another view of the
 * same thing and leaves this one as it is.
 *
 * @param <S> the view
 */
public interface Configured<S> {
    /** By which Java values are written and read; of the client unless set. */
    CodecRegistry getCodecRegistry();

    /** From which members is read; {@code primary} unless set. */
    ReadPreference getReadPreference();

    /** How settled must be what is read; left to the server unless set. */
    ReadConcern getReadConcern();

    /** When a write counts as done; left to the server unless set. */
    WriteConcern getWriteConcern();

    /**
     * How long an operation may take with all that belongs to it: finding a server, waiting for a connection, every attempt.
     * Null: each step has its own limit; zero: no limit.
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

    /** Negative timeouts are an {@link IllegalArgumentException}. */
    S withTimeout(@Nullable Duration value);

    default S withTimeout(long value, TimeUnit unit) {
        return withTimeout(Duration.of(value, unit.toChronoUnit()));
    }
}

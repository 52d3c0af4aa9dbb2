package dev.semel.driver;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How long the network may take. */
public record SocketSettings(
        Duration connectTimeout, @Nullable Duration readTimeout) {
    static final SocketSettings DEFAULT = new SocketSettings(Duration.ofSeconds(10), null);

    public static Builder builder() {
        return new Builder(DEFAULT);
    }

    public static Builder builder(SocketSettings from) {
        return new Builder(from);
    }

    /** Collects them. Not to be shared between threads. */
    public static final class Builder {
        private Duration connectTimeout;
        private @Nullable Duration readTimeout;

        private Builder(SocketSettings from) {
            connectTimeout = from.connectTimeout;
            readTimeout = from.readTimeout;
        }

        public Builder connectTimeout(Duration value) {
            connectTimeout = value;
            return this;
        }

        public Builder connectTimeout(long value, TimeUnit unit) {
            return connectTimeout(Duration.of(value, unit.toChronoUnit()));
        }

        /** How long an answer may take; null, or a number of 0: as long as it likes. */
        public Builder readTimeout(@Nullable Duration value) {
            readTimeout = value;
            return this;
        }

        public Builder readTimeout(long value, TimeUnit unit) {
            return readTimeout(value == 0 ? null : Duration.of(value, unit.toChronoUnit()));
        }

        public SocketSettings build() {
            return new SocketSettings(connectTimeout, readTimeout);
        }
    }
}

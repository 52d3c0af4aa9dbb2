package dev.semel.driver;

import dev.semel.driver.setting.ProxySettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Network timeouts, and the SOCKS5 proxy; null: no proxy. */
public record SocketSettings(
        Duration connectTimeout,
        @Nullable Duration readTimeout,
        @Nullable ProxySettings proxySettings) {
    static final SocketSettings DEFAULT = new SocketSettings(Duration.ofSeconds(10), null, null);

    public static Builder builder() {
        return new Builder(DEFAULT);
    }

    public static Builder builder(SocketSettings from) {
        return new Builder(from);
    }

    /** Builder; not thread-safe. */
    public static final class Builder {
        private Duration connectTimeout;
        private @Nullable Duration readTimeout;
        private @Nullable ProxySettings proxySettings;

        private Builder(SocketSettings from) {
            connectTimeout = from.connectTimeout;
            readTimeout = from.readTimeout;
            proxySettings = from.proxySettings;
        }

        public Builder connectTimeout(Duration value) {
            connectTimeout = value;
            return this;
        }

        public Builder connectTimeout(long value, TimeUnit unit) {
            return connectTimeout(Duration.of(value, unit.toChronoUnit()));
        }

        /** How long a reply may take; null or 0: no limit. */
        public Builder readTimeout(@Nullable Duration value) {
            readTimeout = value;
            return this;
        }

        public Builder readTimeout(long value, TimeUnit unit) {
            return readTimeout(value == 0 ? null : Duration.of(value, unit.toChronoUnit()));
        }

        /** A SOCKS5 proxy for all connections; the proxy resolves host names. */
        public Builder applyToProxySettings(Consumer<ProxySettings.Builder> change) {
            var builder = ProxySettings.builder(proxySettings);
            change.accept(builder);
            return proxySettings(builder.build());
        }

        public Builder proxySettings(@Nullable ProxySettings value) {
            proxySettings = value;
            return this;
        }

        public SocketSettings build() {
            return new SocketSettings(connectTimeout, readTimeout, proxySettings);
        }
    }
}

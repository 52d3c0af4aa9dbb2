package dev.semel.driver;

import dev.semel.driver.event.ConnectionPoolListener;
import dev.semel.driver.setting.PoolSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Settings of the connection pools; each server has one pool. */
public record ConnectionPoolSettings(PoolSettings limits, List<ConnectionPoolListener> connectionPoolListeners) {
    static final ConnectionPoolSettings DEFAULT = new ConnectionPoolSettings(PoolSettings.DEFAULT, List.of());

    public static Builder builder() {
        return new Builder(DEFAULT);
    }

    public static Builder builder(ConnectionPoolSettings from) {
        return new Builder(from);
    }

    /** Builder; not thread-safe. */
    public static final class Builder {
        private int maxSize;
        private int minSize;
        private int maxConnecting;
        private @Nullable Duration maxIdleTime;
        private @Nullable Duration maxLifeTime;
        private @Nullable Duration waitQueueTimeout;
        private Duration maintenanceFrequency;
        private List<ConnectionPoolListener> connectionPoolListeners;

        private Builder(ConnectionPoolSettings from) {
            maxSize = from.limits.maxSize();
            minSize = from.limits.minSize();
            maxConnecting = from.limits.maxConnecting();
            maxIdleTime = from.limits.maxIdleTime();
            maxLifeTime = from.limits.maxLifeTime();
            waitQueueTimeout = from.limits.waitQueueTimeout();
            maintenanceFrequency = from.limits.maintenanceFrequency();
            connectionPoolListeners = from.connectionPoolListeners;
        }

        /** All of them together. */
        public Builder limits(PoolSettings value) {
            maxSize = value.maxSize();
            minSize = value.minSize();
            maxConnecting = value.maxConnecting();
            maxIdleTime = value.maxIdleTime();
            maxLifeTime = value.maxLifeTime();
            waitQueueTimeout = value.waitQueueTimeout();
            maintenanceFrequency = value.maintenanceFrequency();
            return this;
        }

        /** 0: no limit. */
        public Builder maxSize(int value) {
            maxSize = value;
            return this;
        }

        public Builder minSize(int value) {
            minSize = value;
            return this;
        }

        /** Maximum number of connections that are opened at the same time. */
        public Builder maxConnecting(int value) {
            maxConnecting = value;
            return this;
        }

        /** Null or 0: no limit. */
        public Builder maxConnectionIdleTime(@Nullable Duration value) {
            maxIdleTime = value;
            return this;
        }

        public Builder maxConnectionIdleTime(long value, TimeUnit unit) {
            return maxConnectionIdleTime(value == 0 ? null : Duration.of(value, unit.toChronoUnit()));
        }

        /** Null or 0: no limit. */
        public Builder maxConnectionLifeTime(@Nullable Duration value) {
            maxLifeTime = value;
            return this;
        }

        public Builder maxConnectionLifeTime(long value, TimeUnit unit) {
            return maxConnectionLifeTime(value == 0 ? null : Duration.of(value, unit.toChronoUnit()));
        }

        /** How long an operation waits for a connection; null or 0: no limit. */
        public Builder maxWaitTime(@Nullable Duration value) {
            waitQueueTimeout = value;
            return this;
        }

        public Builder maxWaitTime(long value, TimeUnit unit) {
            return maxWaitTime(value == 0 ? null : Duration.of(value, unit.toChronoUnit()));
        }

        public Builder maintenanceFrequency(Duration value) {
            maintenanceFrequency = value;
            return this;
        }

        public Builder maintenanceFrequency(long value, TimeUnit unit) {
            return maintenanceFrequency(Duration.of(value, unit.toChronoUnit()));
        }

        public Builder addConnectionPoolListener(ConnectionPoolListener listener) {
            connectionPoolListeners = Stream.concat(connectionPoolListeners.stream(), Stream.of(listener))
                    .toList();
            return this;
        }

        public ConnectionPoolSettings build() {
            var limits = new PoolSettings(
                    maxSize, minSize, maxConnecting, maxIdleTime, maxLifeTime, waitQueueTimeout, maintenanceFrequency);
            return new ConnectionPoolSettings(limits, connectionPoolListeners);
        }
    }
}

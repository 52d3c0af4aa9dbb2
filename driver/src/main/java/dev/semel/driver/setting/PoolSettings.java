package dev.semel.driver.setting;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Options of connection pools. A size of 0 is no limit, and so is a time of null. */
public record PoolSettings(
        int maxSize,
        int minSize,
        int maxConnecting,
        @Nullable Duration maxIdleTime,
        @Nullable Duration maxLifeTime,
        @Nullable Duration waitQueueTimeout,
        Duration maintenanceFrequency) {
    public static final PoolSettings DEFAULT = new PoolSettings(100, 0, 2, null, null, null, Duration.ofSeconds(10));

    public PoolSettings {
        if (maxSize > 0 && minSize > maxSize) {
            throw new IllegalArgumentException("minPoolSize " + minSize + " is larger than maxPoolSize " + maxSize);
        }
        if (maxConnecting < 1) {
            throw new IllegalArgumentException("maxConnecting must be at least 1, found " + maxConnecting);
        }
    }
}

package dev.semel.driver;

import dev.semel.driver.setting.ServerMonitoringMode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Settings of server monitoring. */
public record ServerSettings(
        Duration heartbeatFrequency, Duration minHeartbeatFrequency, ServerMonitoringMode serverMonitoringMode) {
    static final ServerSettings DEFAULT =
            new ServerSettings(Duration.ofSeconds(10), Duration.ofMillis(500), ServerMonitoringMode.AUTO);

    public static Builder builder() {
        return new Builder(DEFAULT);
    }

    public static Builder builder(ServerSettings from) {
        return new Builder(from);
    }

    /** Builder; not thread-safe. */
    public static final class Builder {
        private Duration heartbeatFrequency;
        private Duration minHeartbeatFrequency;
        private ServerMonitoringMode serverMonitoringMode;

        private Builder(ServerSettings from) {
            heartbeatFrequency = from.heartbeatFrequency;
            minHeartbeatFrequency = from.minHeartbeatFrequency;
            serverMonitoringMode = from.serverMonitoringMode;
        }

        public Builder heartbeatFrequency(Duration value) {
            heartbeatFrequency = value;
            return this;
        }

        public Builder heartbeatFrequency(long value, TimeUnit unit) {
            return heartbeatFrequency(Duration.of(value, unit.toChronoUnit()));
        }

        /** Minimum time between two checks of a server. */
        public Builder minHeartbeatFrequency(Duration value) {
            minHeartbeatFrequency = value;
            return this;
        }

        public Builder minHeartbeatFrequency(long value, TimeUnit unit) {
            return minHeartbeatFrequency(Duration.of(value, unit.toChronoUnit()));
        }

        public Builder serverMonitoringMode(ServerMonitoringMode value) {
            serverMonitoringMode = value;
            return this;
        }

        public ServerSettings build() {
            return new ServerSettings(heartbeatFrequency, minHeartbeatFrequency, serverMonitoringMode);
        }
    }
}

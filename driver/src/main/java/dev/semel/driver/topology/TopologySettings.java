package dev.semel.driver.topology;

import dev.semel.driver.connection.ConnectionSettings;
import dev.semel.driver.description.ServerSelector;
import dev.semel.driver.event.ClusterListener;
import dev.semel.driver.event.ConnectionPoolListener;
import dev.semel.driver.logging.Log;
import dev.semel.driver.setting.PoolSettings;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.ServerMonitoringMode;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What a topology has to know. */
public record TopologySettings(
        List<ServerAddress> seeds,
        @Nullable String setName,
        @Nullable Boolean directConnection,
        boolean loadBalanced,
        Duration heartbeatFrequency,
        Duration minHeartbeatFrequency,
        ServerMonitoringMode monitoringMode,
        Duration localThreshold,
        Duration serverSelectionTimeout,
        @Nullable ServerSelector serverSelector,
        PoolSettings pool,
        ConnectionSettings connections,
        List<ClusterListener> clusterListeners,
        List<ConnectionPoolListener> poolListeners,
        Log log,
        RandomGenerator random) {}

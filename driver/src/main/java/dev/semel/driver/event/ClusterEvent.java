package dev.semel.driver.event;

import dev.semel.driver.description.ConnectionId;
import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import org.bson.BsonDocument;

/** An event of server discovery and monitoring. */
public sealed interface ClusterEvent {
    record TopologyOpening(String topologyId) implements ClusterEvent {}

    record TopologyClosed(String topologyId) implements ClusterEvent {}

    record TopologyDescriptionChanged(String topologyId, TopologyDescription previous, TopologyDescription current)
            implements ClusterEvent {}

    record ServerOpening(String topologyId, ServerAddress address) implements ClusterEvent {}

    record ServerClosed(String topologyId, ServerAddress address) implements ClusterEvent {}

    record ServerDescriptionChanged(
            String topologyId, ServerAddress address, ServerDescription previous, ServerDescription current)
            implements ClusterEvent {}

    /** A heartbeat is sent; awaited means that the server replies when its state changes. */
    record HeartbeatStarted(String topologyId, ConnectionId connection, boolean awaited) implements ClusterEvent {
        public ServerAddress address() {
            return connection.server();
        }
    }

    record HeartbeatSucceeded(
            String topologyId, ConnectionId connection, boolean awaited, BsonDocument reply, Duration elapsed)
            implements ClusterEvent {
        public ServerAddress address() {
            return connection.server();
        }
    }

    record HeartbeatFailed(
            String topologyId, ConnectionId connection, boolean awaited, Throwable failure, Duration elapsed)
            implements ClusterEvent {
        public ServerAddress address() {
            return connection.server();
        }
    }
}

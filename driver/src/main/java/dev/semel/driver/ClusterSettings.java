package dev.semel.driver;

import dev.semel.driver.description.ServerSelector;
import dev.semel.driver.event.ClusterListener;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The hosts of the deployment, and server selection. */
public record ClusterSettings(
        List<ServerAddress> hosts,
        @Nullable String srvHost,
        String srvServiceName,
        int srvMaxHosts,
        @Nullable String requiredReplicaSetName,
        @Nullable Boolean directConnection,
        boolean loadBalanced,
        Duration localThreshold,
        Duration serverSelectionTimeout,
        @Nullable ServerSelector serverSelector,
        List<ClusterListener> clusterListeners) {
    static final ClusterSettings DEFAULT = new ClusterSettings(
            List.of(new ServerAddress()),
            null,
            "mongodb",
            0,
            null,
            null,
            false,
            Duration.ofMillis(15),
            Duration.ofSeconds(30),
            null,
            List.of());

    public static Builder builder() {
        return new Builder(DEFAULT);
    }

    public static Builder builder(ClusterSettings from) {
        return new Builder(from);
    }

    void check() {
        ConnectionString.checkTopology(
                srvHost == null ? hosts.size() : 1,
                Boolean.TRUE.equals(directConnection),
                loadBalanced,
                requiredReplicaSetName != null);
    }

    /** Builder; not thread-safe. */
    public static final class Builder {
        private List<ServerAddress> hosts;
        private @Nullable String srvHost;
        private String srvServiceName;
        private int srvMaxHosts;
        private @Nullable String requiredReplicaSetName;
        private @Nullable Boolean directConnection;
        private boolean loadBalanced;
        private Duration localThreshold;
        private Duration serverSelectionTimeout;
        private @Nullable ServerSelector serverSelector;
        private List<ClusterListener> clusterListeners;

        private Builder(ClusterSettings from) {
            hosts = from.hosts;
            srvHost = from.srvHost;
            srvServiceName = from.srvServiceName;
            srvMaxHosts = from.srvMaxHosts;
            requiredReplicaSetName = from.requiredReplicaSetName;
            directConnection = from.directConnection;
            loadBalanced = from.loadBalanced;
            localThreshold = from.localThreshold;
            serverSelectionTimeout = from.serverSelectionTimeout;
            serverSelector = from.serverSelector;
            clusterListeners = from.clusterListeners;
        }

        /** The hosts, instead of an SRV host. */
        public Builder hosts(List<ServerAddress> value) {
            hosts = List.copyOf(value);
            srvHost = null;
            return this;
        }

        /** The name whose SRV record lists the servers. */
        public Builder srvHost(String value) {
            srvHost = value;
            hosts = List.of();
            return this;
        }

        public Builder srvServiceName(String value) {
            srvServiceName = value;
            return this;
        }

        /** Maximum number of hosts taken from the SRV record; 0: all. */
        public Builder srvMaxHosts(int value) {
            srvMaxHosts = value;
            return this;
        }

        public Builder requiredReplicaSetName(@Nullable String value) {
            requiredReplicaSetName = value;
            return this;
        }

        /** Replaces the options {@code directConnection} and {@code loadBalanced} of the connection string. */
        public Builder mode(ClusterConnectionMode value) {
            directConnection = value == ClusterConnectionMode.SINGLE;
            loadBalanced = value == ClusterConnectionMode.LOAD_BALANCED;
            return this;
        }

        /** Whether to connect only to the given host; null: detected by the driver. */
        public Builder directConnection(@Nullable Boolean value) {
            directConnection = value;
            return this;
        }

        /** Whether the host is a load balancer. */
        public Builder loadBalanced(boolean value) {
            loadBalanced = value;
            return this;
        }

        /** The latency window: how much higher than the lowest round-trip time that of a selected server may be. */
        public Builder localThreshold(Duration value) {
            localThreshold = value;
            return this;
        }

        public Builder localThreshold(long value, TimeUnit unit) {
            return localThreshold(Duration.of(value, unit.toChronoUnit()));
        }

        public Builder serverSelectionTimeout(Duration value) {
            serverSelectionTimeout = value;
            return this;
        }

        public Builder serverSelectionTimeout(long value, TimeUnit unit) {
            return serverSelectionTimeout(Duration.of(value, unit.toChronoUnit()));
        }

        /** A server selector of the application, called with the suitable servers; null: none. */
        public Builder serverSelector(@Nullable ServerSelector value) {
            serverSelector = value;
            return this;
        }

        public Builder addClusterListener(ClusterListener listener) {
            clusterListeners = Stream.concat(clusterListeners.stream(), Stream.of(listener))
                    .toList();
            return this;
        }

        public ClusterSettings build() {
            return new ClusterSettings(
                    hosts,
                    srvHost,
                    srvServiceName,
                    srvMaxHosts,
                    requiredReplicaSetName,
                    directConnection,
                    loadBalanced,
                    localThreshold,
                    serverSelectionTimeout,
                    serverSelector,
                    clusterListeners);
        }
    }
}

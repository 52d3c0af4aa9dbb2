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

/** Where the servers are, and how one of them is chosen. */
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

    /** Collects them. Not to be shared between threads. */
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

        /** In place of a name that is looked up. */
        public Builder hosts(List<ServerAddress> value) {
            hosts = List.copyOf(value);
            srvHost = null;
            return this;
        }

        /** The name whose DNS entry lists the servers. */
        public Builder srvHost(String value) {
            srvHost = value;
            hosts = List.of();
            return this;
        }

        public Builder srvServiceName(String value) {
            srvServiceName = value;
            return this;
        }

        /** How many of the servers of the DNS entry are used; 0: all. */
        public Builder srvMaxHosts(int value) {
            srvMaxHosts = value;
            return this;
        }

        public Builder requiredReplicaSetName(@Nullable String value) {
            requiredReplicaSetName = value;
            return this;
        }

        /** In the place of the two options of the connection string. */
        public Builder mode(ClusterConnectionMode value) {
            directConnection = value == ClusterConnectionMode.SINGLE;
            loadBalanced = value == ClusterConnectionMode.LOAD_BALANCED;
            return this;
        }

        /** Whether the one host given is all there is; null: if it turns out so. */
        public Builder directConnection(@Nullable Boolean value) {
            directConnection = value;
            return this;
        }

        /** Whether the host is a load balancer. */
        public Builder loadBalanced(boolean value) {
            loadBalanced = value;
            return this;
        }

        /** How much farther than the nearest server another one may be and still be chosen. */
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

        /** The application's own choice among the servers that suit an operation; null: none. */
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

package dev.semel.driver;

import dev.semel.driver.connection.ConnectionSettings;
import dev.semel.driver.connection.Metadata;
import dev.semel.driver.connection.RuntimeEnvironment;
import dev.semel.driver.connection.Time;
import dev.semel.driver.connection.Tls;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.description.TopologyType;
import dev.semel.driver.dns.SeedList;
import dev.semel.driver.dns.SeedListPolling;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.event.RetryStatistics;
import dev.semel.driver.execution.Execution;
import dev.semel.driver.execution.ExecutionSettings;
import dev.semel.driver.execution.ServerSessions;
import dev.semel.driver.execution.Session;
import dev.semel.driver.logging.Log;
import dev.semel.driver.operation.RunCommand;
import dev.semel.driver.setting.DriverInformation;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.topology.Topology;
import dev.semel.driver.topology.TopologySettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A client with its connections. It connects the driver's layers, and gives them the time and the random numbers of the
 * system.
 */
final class LiveClient extends ClusterView implements MongoClient {
    private static final String VERSION = "0.1.0";

    /** As many sessions as one command may end. */
    private static final int END_SESSIONS_MAX = 10_000;

    private static final Duration END_SESSIONS_TIMEOUT = Duration.ofSeconds(1);

    private final Metadata metadata;
    private final Topology topology;
    private final @Nullable SeedListPolling polling;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private LiveClient(Scope scope, Metadata metadata, Topology topology, @Nullable SeedListPolling polling) {
        super(scope, LiveClient::jitter);
        this.polling = polling;
        this.metadata = metadata;
        this.topology = topology;
    }

    /** Routers that come or go are looked for that often, where the servers are looked up by a name. */
    static LiveClient open(MongoClientSettings given, @Nullable DriverInformation library, Duration seedsInterval) {
        // Later it would look like a server that cannot be reached.
        Tls.check(given.getSslSettings());
        SeedList seeds = seeds(given);
        var settings = seeds == null ? given : SrvSettings.resolve(given, seeds);
        var environment = new RuntimeEnvironment(System.getenv(), Files.exists(Path.of("/.dockerenv")));
        var metadata = new Metadata(settings.getApplicationName(), VERSION, environment);
        if (library != null) {
            metadata.append(library);
        }
        var log = new Log(settings.getLoggerSettings().orElse(System.getenv()));
        var time = Time.ofSystem();
        var topology = new Topology(topologySettings(settings, metadata, log, time));
        var sessions = new ServerSessions(
                () -> topology.description().logicalSessionTimeoutMinutes(), time.nanoTime(), UUID::randomUUID);
        var execution = new Execution(
                topology,
                sessions,
                new ExecutionSettings(
                        settings.getRetryReads(),
                        settings.getRetryWrites(),
                        settings.getMaxAdaptiveRetries(),
                        settings.isOverloadRetargetingEnabled(),
                        settings.getServerApi(),
                        LiveClient::jitter,
                        settings.getCommandListeners(),
                        settings.getRetryListeners(),
                        log,
                        time));
        var scope = new Scope(
                execution,
                settings.getCodecRegistry(),
                settings.getReadPreference(),
                settings.getReadConcern(),
                settings.getWriteConcern(),
                settings.getTimeout());
        topology.start();
        SeedListPolling polling = null;
        if (seeds != null && !settings.getClusterSettings().loadBalanced()) {
            polling = new SeedListPolling(
                    seeds,
                    new SeedFollower(topology),
                    seedsInterval,
                    settings.getServerSettings().heartbeatFrequency());
            polling.start();
        }
        return new LiveClient(scope, metadata, topology, polling);
    }

    private static @Nullable SeedList seeds(MongoClientSettings settings) {
        var cluster = settings.getClusterSettings();
        String host = cluster.srvHost();
        return host == null
                ? null
                : new SeedList(
                        settings.getDnsClient(),
                        host,
                        cluster.srvServiceName(),
                        cluster.srvMaxHosts(),
                        () -> ThreadLocalRandom.current().nextLong());
    }

    /** The topology changes its members when the seed list does. */
    private record SeedFollower(Topology topology) implements SeedListPolling.Follower {
        @Override
        public boolean wantsSeeds() {
            TopologyType type = topology.description().type();
            return type == TopologyType.SHARDED || type == TopologyType.UNKNOWN;
        }

        @Override
        public Collection<ServerAddress> current() {
            return topology.description().byAddress().keySet();
        }

        @Override
        public void seeds(List<ServerAddress> now) {
            topology.seeds(now);
        }
    }

    private static double jitter() {
        return ThreadLocalRandom.current().nextDouble();
    }

    private static TopologySettings topologySettings(
            MongoClientSettings settings, Metadata metadata, Log log, Time time) {
        var cluster = settings.getClusterSettings();
        var servers = settings.getServerSettings();
        var requestIds = new AtomicInteger();
        var connections = new ConnectionSettings(
                metadata,
                settings.getCredential(),
                settings.getSslSettings(),
                settings.getSocketSettings().proxySettings(),
                settings.getCompressors(),
                settings.getZlibCompressionLevel(),
                settings.getServerApi(),
                cluster.loadBalanced(),
                settings.getSocketSettings().connectTimeout(),
                settings.getSocketSettings().readTimeout(),
                settings.getTimeout(),
                requestIds::incrementAndGet,
                time);
        return new TopologySettings(
                cluster.hosts(),
                cluster.requiredReplicaSetName(),
                cluster.directConnection(),
                cluster.loadBalanced(),
                servers.heartbeatFrequency(),
                servers.minHeartbeatFrequency(),
                servers.serverMonitoringMode(),
                cluster.localThreshold(),
                cluster.serverSelectionTimeout(),
                cluster.serverSelector(),
                settings.getConnectionPoolSettings().limits(),
                connections,
                cluster.clusterListeners(),
                settings.getConnectionPoolSettings().connectionPoolListeners(),
                log,
                () -> ThreadLocalRandom.current().nextLong());
    }

    @Override
    public TopologyDescription getClusterDescription() {
        return topology.description();
    }

    @Override
    public RetryStatistics retryStatistics() {
        return scope().execution().retryStatistics();
    }

    @Override
    public void appendMetadata(String name, @Nullable String version, @Nullable String platform) {
        metadata.append(new DriverInformation(name, version, platform));
    }

    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            if (polling != null) {
                polling.close();
            }
            endSessions();
            topology.close();
        }
    }

    /** Lets the server forget the sessions at once; it would by itself after a while. */
    private void endSessions() {
        List<BsonDocument> ids = scope().execution().sessions().drain();
        boolean isReachable = topology.description().servers().stream()
                .anyMatch(each -> each.type().isDataBearing());
        if (ids.isEmpty() || !isReachable) {
            return;
        }
        var command =
                new BsonDocument("endSessions", new BsonArray(ids.subList(0, Math.min(ids.size(), END_SESSIONS_MAX))));
        var operation = RunCommand.operation(
                "admin", command, ReadPreference.primaryPreferred(), scope().codecs(), (reply, server) -> reply);
        try {
            scope().execution()
                    .run(
                            operation,
                            Session.implicit(scope().execution().sessions()),
                            scope().execution().time().after(END_SESSIONS_TIMEOUT));
        } catch (MongoException e) {
            // They time out on the server.
        }
    }
}

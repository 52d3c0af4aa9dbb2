package dev.semel.driver;

import dev.semel.driver.connection.ConnectionSettings;
import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.Metadata;
import dev.semel.driver.description.TopologyDescription;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.event.RetryStatistics;
import dev.semel.driver.execution.Execution;
import dev.semel.driver.execution.ExecutionSettings;
import dev.semel.driver.execution.ServerSessions;
import dev.semel.driver.execution.Session;
import dev.semel.driver.logging.Log;
import dev.semel.driver.operation.RunCommand;
import dev.semel.driver.setting.ClientSessionOptions;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.topology.Topology;
import dev.semel.driver.topology.TopologySettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The connection to a database, kept for as long as the application runs and shared by all its threads. Also the wiring of
 * the driver's layers, and the one place that draws random numbers.
 */
public final class MongoClient implements AutoCloseable {
    private static final String VERSION = "0.1.0";

    /** As many sessions as one command may end. */
    private static final int END_SESSIONS_MAX = 10_000;

    private static final Duration END_SESSIONS_TIMEOUT = Duration.ofSeconds(1);

    private final MongoClientSettings settings;
    private final Metadata metadata;
    private final Log log;
    private final Topology topology;
    private final ServerSessions sessions;
    private final Scope scope;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    MongoClient(MongoClientSettings settings) {
        this.settings = settings;
        metadata = new Metadata(settings.getApplicationName(), VERSION);
        log = new Log(settings.getLoggerSettings().orElse(System.getenv()));
        topology = new Topology(topologySettings());
        sessions = new ServerSessions(() -> topology.description().logicalSessionTimeoutMinutes());
        var execution = new Execution(
                topology,
                sessions,
                new ExecutionSettings(
                        settings.getRetryReads(),
                        settings.getRetryWrites(),
                        settings.getMaxAdaptiveRetries(),
                        settings.isOverloadRetargetingEnabled(),
                        settings.getServerApi(),
                        MongoClient::jitter,
                        settings.getCommandListeners(),
                        settings.getRetryListeners(),
                        log));
        scope = new Scope(
                execution,
                settings.getCodecRegistry(),
                settings.getReadPreference(),
                settings.getReadConcern(),
                settings.getWriteConcern(),
                settings.getTimeout());
        topology.start();
    }

    private static double jitter() {
        return ThreadLocalRandom.current().nextDouble();
    }

    private TopologySettings topologySettings() {
        var requestIds = new AtomicInteger();
        var connections = new ConnectionSettings(
                metadata,
                settings.getCredential(),
                settings.getTls(),
                settings.getCompressors(),
                settings.getServerApi(),
                settings.isLoadBalanced(),
                settings.getConnectTimeout(),
                settings.getSocketTimeout(),
                requestIds::incrementAndGet);
        return new TopologySettings(
                settings.getHosts(),
                settings.getReplicaSetName(),
                settings.getDirectConnection(),
                settings.isLoadBalanced(),
                settings.getHeartbeatFrequency(),
                settings.getMinHeartbeatFrequency(),
                settings.getServerMonitoringMode(),
                settings.getLocalThreshold(),
                settings.getServerSelectionTimeout(),
                settings.getPool(),
                connections,
                settings.getClusterListeners(),
                settings.getConnectionPoolListeners(),
                log,
                () -> ThreadLocalRandom.current().nextLong());
    }

    public MongoDatabase getDatabase(String name) {
        return new MongoDatabase(scope, name);
    }

    public CodecRegistry getCodecRegistry() {
        return scope.codecs();
    }

    /** What is known of the servers now. */
    public TopologyDescription getClusterDescription() {
        return topology.description();
    }

    /** What retrying has done for this client so far. */
    public RetryStatistics retryStatistics() {
        return scope.execution().retryStatistics();
    }

    public ClientSession startSession() {
        return startSession(ClientSessionOptions.DEFAULT);
    }

    public ClientSession startSession(ClientSessionOptions options) {
        return new ClientSession(scope, options, MongoClient::jitter);
    }

    /** A library on top of the driver makes itself known to the servers, on connections made from now on. */
    public void appendMetadata(String name, @Nullable String version, @Nullable String platform) {
        metadata.append(new Metadata.Addition(name, version, platform));
    }

    public ChangeStreamIterable<Document> watch() {
        return watch(List.of());
    }

    public ChangeStreamIterable<Document> watch(List<? extends Bson> pipeline) {
        return watch(pipeline, Document.class);
    }

    public <R> ChangeStreamIterable<R> watch(List<? extends Bson> pipeline, Class<R> resultClass) {
        return watched(null, pipeline, resultClass);
    }

    public ChangeStreamIterable<Document> watch(ClientSession session, List<? extends Bson> pipeline) {
        return watched(session, pipeline, Document.class);
    }

    public <R> ChangeStreamIterable<R> watch(
            ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass) {
        return watched(session, pipeline, resultClass);
    }

    private <R> ChangeStreamIterable<R> watched(
            @Nullable ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass) {
        var target = new ChangeStreamIterable.Target("admin", null, true);
        return new ChangeStreamIterable<>(
                scope, session, target, pipeline, scope.codecs().get(resultClass));
    }

    public DatabasesIterable listDatabases() {
        return new DatabasesIterable(scope, null, false);
    }

    public DatabasesIterable listDatabases(ClientSession session) {
        return new DatabasesIterable(scope, session, false);
    }

    public MongoIterable<String> listDatabaseNames() {
        return new DatabasesIterable(scope, null, true).map(each -> each.getString("name"));
    }

    public MongoIterable<String> listDatabaseNames(ClientSession session) {
        return new DatabasesIterable(scope, session, true).map(each -> each.getString("name"));
    }

    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            endSessions();
            topology.close();
        }
    }

    /** Lets the server forget the sessions at once; it would by itself after a while. */
    private void endSessions() {
        List<BsonDocument> ids = sessions.drain();
        boolean isReachable = topology.description().servers().stream()
                .anyMatch(each -> each.type().isDataBearing());
        if (ids.isEmpty() || !isReachable) {
            return;
        }
        var command =
                new BsonDocument("endSessions", new BsonArray(ids.subList(0, Math.min(ids.size(), END_SESSIONS_MAX))));
        var operation = RunCommand.operation(
                "admin", command, ReadPreference.primaryPreferred(), scope.codecs(), (reply, server) -> reply);
        try {
            scope.execution().run(operation, Session.implicit(sessions), Deadline.after(END_SESSIONS_TIMEOUT));
        } catch (MongoException e) {
            // They time out on the server.
        }
    }
}

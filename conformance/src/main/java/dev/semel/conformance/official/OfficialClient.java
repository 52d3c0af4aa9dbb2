package dev.semel.conformance.official;

import static dev.semel.conformance.adapter.Options.option;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoDriverInformation;
import com.mongodb.ServerApi;
import com.mongodb.ServerApiVersion;
import com.mongodb.client.ClientSession;
import com.mongodb.client.ListDatabasesIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCluster;
import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.ClientOptions;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Listener;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.UuidRepresentation;
import org.jspecify.annotations.Nullable;

/** A client entity. */
final class OfficialClient implements Driven {
    private static final Options<ListDatabasesIterable<BsonDocument>> LIST =
            Options.of(option("filter", (o, v) -> o.filter(v.asDocument())));

    /** The default cuts off what cases compare. */
    private static final int LOGGED_LENGTH = 10_000;

    private static final AtomicLong NAMES = new AtomicLong();

    private final MongoClient client;
    private final @Nullable String logName;

    private OfficialClient(MongoClient client, @Nullable String logName) {
        this.client = client;
        this.logName = logName;
    }

    static OfficialClient open(ClientOptions options, Listener listener) {
        ConnectionString uri = new ConnectionString(options.uri());
        MongoClientSettings.Builder settings = MongoClientSettings.builder()
                .applyConnectionString(uri)
                .uuidRepresentation(UuidRepresentation.STANDARD);
        Listeners listeners = new Listeners(listener);
        settings.addCommandListener(listeners);
        settings.applyToConnectionPoolSettings(each -> each.addConnectionPoolListener(listeners));
        settings.applyToClusterSettings(each -> each.addClusterListener(listeners));
        settings.applyToServerSettings(each -> {
            each.addServerListener(listeners).addServerMonitorListener(listeners);
            if (!options.isHeartbeatGiven()) {
                each.heartbeatFrequency(500, TimeUnit.MILLISECONDS).minHeartbeatFrequency(50, TimeUnit.MILLISECONDS);
            }
        });
        BsonDocument api = options.serverApi();
        if (api != null) {
            settings.serverApi(serverApi(api));
        }
        String logName = null;
        if (options.wantsLogs()) {
            // The driver's log identifies its clients by their application names.
            String given = uri.getApplicationName();
            logName = given == null ? "conformance-" + NAMES.incrementAndGet() : given;
            settings.applicationName(logName);
            settings.applyToLoggerSettings(each -> each.maxDocumentLength(LOGGED_LENGTH));
            Logs.listen(logName, listener);
        }
        return new OfficialClient(MongoClients.create(settings.build()), logName);
    }

    private static ServerApi serverApi(BsonDocument options) {
        ServerApi.Builder api = ServerApi.builder();
        options.forEach((name, value) -> {
            switch (name) {
                case "version" -> api.version(ServerApiVersion.findByValue(Values.string(value)));
                case "strict" -> api.strict(Values.bool(value));
                case "deprecationErrors" -> api.deprecationErrors(Values.bool(value));
                default -> throw new Unsupported("serverApi." + name);
            }
        });
        return api.build();
    }

    @Override
    public Driven create(String kind, String name, BsonDocument options) {
        return switch (kind) {
            case "database" -> OfficialDatabase.of(client, name, options);
            case "session" -> new SessionEntity(client.startSession(sessionOptions(options)));
            default -> throw new Unsupported(kind);
        };
    }

    private static ClientSessionOptions sessionOptions(BsonDocument options) {
        ClientSessionOptions.Builder builder = ClientSessionOptions.builder();
        options.forEach((name, value) -> {
            switch (name) {
                case "causalConsistency" -> builder.causallyConsistent(Values.bool(value));
                case "snapshot" -> builder.snapshot(Values.bool(value));
                case "defaultTimeoutMS" -> builder.defaultTimeout(Values.longNumber(value), TimeUnit.MILLISECONDS);
                case "defaultTransactionOptions" ->
                    builder.defaultTransactionOptions(Concerns.transactionOptions(value.asDocument()));
                default -> throw new Unsupported("sessionOptions." + name);
            }
        });
        return builder.build();
    }

    @Override
    public Outcome run(String operation, Arguments arguments) {
        BsonValue timeout = arguments.find("timeoutMS");
        MongoCluster target =
                timeout == null ? client : client.withTimeout(Values.longNumber(timeout), TimeUnit.MILLISECONDS);
        ClientSession session = SessionEntity.of(arguments);
        return switch (operation) {
            case "listDatabases" ->
                Values.all(LIST.apply(
                        operation,
                        session == null
                                ? target.listDatabases(BsonDocument.class)
                                : target.listDatabases(session, BsonDocument.class),
                        arguments,
                        "timeoutMS"));
            case "listDatabaseNames" -> {
                Options.none(operation, arguments, "timeoutMS");
                yield Values.strings(session == null ? target.listDatabaseNames() : target.listDatabaseNames(session));
            }
            case "dropDatabase" -> {
                Options.none(operation, arguments, "timeoutMS", "database");
                var database = target.getDatabase(arguments.string("database"));
                if (session == null) {
                    database.drop();
                } else {
                    database.drop(session);
                }
                yield Outcome.NONE;
            }
            case "createChangeStream" ->
                ChangeStreams.open(
                        session == null
                                ? target.watch(ChangeStreams.pipeline(arguments), BsonDocument.class)
                                : target.watch(session, ChangeStreams.pipeline(arguments), BsonDocument.class),
                        arguments);
            case "clientBulkWrite" -> ClientBulkWrites.run(target, session, arguments);
            case "appendMetadata" -> {
                appendMetadata(arguments.document("driverInfoOptions"));
                yield Outcome.NONE;
            }
            case "topologyDescription" -> Values.result(Descriptions.cluster(client.getClusterDescription()));
            case "close" -> {
                close();
                yield Outcome.NONE;
            }
            default -> throw new Unsupported("client." + operation);
        };
    }

    private void appendMetadata(BsonDocument info) {
        MongoDriverInformation.Builder builder = MongoDriverInformation.builder();
        info.forEach((name, value) -> {
            switch (name) {
                case "name" -> builder.driverName(Values.string(value));
                case "version" -> builder.driverVersion(Values.string(value));
                case "platform" -> builder.driverPlatform(Values.string(value));
                default -> throw new Unsupported("driverInfoOptions." + name);
            }
        });
        client.appendMetadata(builder.build());
    }

    @Override
    public void close() {
        client.close();
        if (logName != null) {
            Logs.forget(logName);
        }
    }
}

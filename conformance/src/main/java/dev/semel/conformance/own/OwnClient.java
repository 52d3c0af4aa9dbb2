package dev.semel.conformance.own;

import static dev.semel.conformance.adapter.Options.option;

import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.ClientOptions;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Listener;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import dev.semel.driver.ClientSession;
import dev.semel.driver.ListDatabasesIterable;
import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClientSettings;
import dev.semel.driver.MongoClients;
import dev.semel.driver.MongoCluster;
import dev.semel.driver.setting.ClientSessionOptions;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.ServerApi;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A client entity. */
record OwnClient(MongoClient client) implements Driven {
    private static final Options<ListDatabasesIterable<BsonDocument>> LIST =
            Options.of(option("filter", (o, v) -> o.filter(v.asDocument())));

    static OwnClient open(ClientOptions options, Listener listener) {
        MongoClientSettings.Builder settings =
                MongoClientSettings.builder().applyConnectionString(new ConnectionString(options.uri()));
        if (options.wantsLogs()) {
            settings.loggerSettings(Logs.settings(listener));
        }
        if (!options.isHeartbeatGiven()) {
            settings.applyToServerSettings(servers ->
                    servers.heartbeatFrequency(Duration.ofMillis(500)).minHeartbeatFrequency(Duration.ofMillis(50)));
        }
        BsonDocument api = options.serverApi();
        if (api != null) {
            settings.serverApi(serverApi(api));
        }
        new Listeners(listener).listenTo(settings);
        return new OwnClient(MongoClients.create(settings.build()));
    }

    private static ServerApi serverApi(BsonDocument options) {
        Options.none("serverApi", new Arguments(options, null, null), "version", "strict", "deprecationErrors");
        return new ServerApi(
                options.getString("version").getValue(), flag(options, "strict"), flag(options, "deprecationErrors"));
    }

    private static @Nullable Boolean flag(BsonDocument options, String name) {
        BsonValue value = options.get(name);
        return value == null ? null : Boolean.valueOf(Values.bool(value));
    }

    @Override
    public Driven create(String kind, String name, BsonDocument options) {
        return switch (kind) {
            case "database" -> OwnDatabase.of(client, name, options);
            case "session" -> new SessionEntity(client.startSession(sessionOptions(options)));
            default -> throw new Unsupported(kind);
        };
    }

    private static ClientSessionOptions sessionOptions(BsonDocument options) {
        ClientSessionOptions result = ClientSessionOptions.DEFAULT;
        for (var each : options.entrySet()) {
            BsonValue value = each.getValue();
            result = switch (each.getKey()) {
                case "causalConsistency" -> result.withCausallyConsistent(Values.bool(value));
                case "snapshot" -> result.withSnapshot(Values.bool(value));
                case "snapshotTime" -> result.withSnapshotTime(value.asTimestamp());
                case "defaultTimeoutMS" -> result.withDefaultTimeout(Values.millis(value));
                case "defaultTransactionOptions" ->
                    result.withDefaultTransactionOptions(Concerns.transactionOptions(value.asDocument()));
                default -> throw new Unsupported("sessionOptions." + each.getKey());
            };
        }
        return result;
    }

    @Override
    public Outcome run(String operation, Arguments arguments) {
        BsonValue timeout = arguments.find("timeoutMS");
        MongoCluster target = timeout == null ? client : client.withTimeout(Values.millis(timeout));
        ClientSession session = SessionEntity.of(arguments);
        return switch (operation) {
            case "listDatabases" ->
                Values.all(LIST.apply(
                        operation, target.listDatabases(session, BsonDocument.class), arguments, "timeoutMS"));
            case "listDatabaseNames" -> {
                Options.none(operation, arguments, "timeoutMS");
                yield Values.strings(target.listDatabaseNames(session));
            }
            case "dropDatabase" -> {
                Options.none(operation, arguments, "timeoutMS", "database");
                target.getDatabase(arguments.string("database")).drop(session);
                yield Outcome.NONE;
            }
            case "createChangeStream" ->
                ChangeStreams.open(
                        target.watch(session, ChangeStreams.pipeline(arguments), BsonDocument.class), arguments);
            case "clientBulkWrite" -> ClientBulkWrites.run(target, session, arguments);
            case "appendMetadata" -> {
                appendMetadata(arguments.document("driverInfoOptions"));
                yield Outcome.NONE;
            }
            case "topologyDescription" -> Values.result(Descriptions.topology(client.getClusterDescription()));
            case "close" -> {
                close();
                yield Outcome.NONE;
            }
            default -> throw new Unsupported("client." + operation);
        };
    }

    private void appendMetadata(BsonDocument info) {
        Options.none("appendMetadata", new Arguments(info, null, null), "name", "version", "platform");
        client.appendMetadata(info.getString("name").getValue(), text(info, "version"), text(info, "platform"));
    }

    private static @Nullable String text(BsonDocument info, String name) {
        BsonValue value = info.get(name);
        return value == null ? null : Values.string(value);
    }

    @Override
    public void close() {
        client.close();
    }
}

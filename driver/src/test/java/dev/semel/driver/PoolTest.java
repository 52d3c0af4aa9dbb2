package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.MongoConnectionPoolClearedException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.DriverInformation;
import dev.semel.driver.setting.PoolSettings;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.ServerApi;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** Pools and what travels on their connections, by the ids of the prose tests. */
class PoolTest {
    private static final String OPTIONS = "maxPoolSize=7&minPoolSize=1&maxConnecting=3&maxIdleTimeMS=1001"
            + "&maxLifeTimeMS=1002&waitQueueTimeoutMS=1003";

    private final List<ConnectionPoolEvent> events = new CopyOnWriteArrayList<>();

    private MongoClientSettings.Builder settings(String uri) {
        return MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToConnectionPoolSettings(pools -> pools.addConnectionPoolListener(events::add));
    }

    /** CMAPP-1, CMAPP-3: nothing but the settings of a client takes them, and a connection string has them all. */
    @Test
    void optionsOfPoolsAreThoseOfTheClient() {
        assertThat(settings("mongodb://h/?" + OPTIONS)
                        .build()
                        .getConnectionPoolSettings()
                        .limits())
                .isEqualTo(new PoolSettings(
                        7,
                        1,
                        3,
                        Duration.ofMillis(1001),
                        Duration.ofMillis(1002),
                        Duration.ofMillis(1003),
                        PoolSettings.DEFAULT.maintenanceFrequency()));
    }

    /** CMAPP-2, CMAPP-4. */
    @Test
    void poolsOfClientAreAlikeAndTellOfThemselves() throws IOException {
        try (var one = RecordingServer.router();
                var other = RecordingServer.router();
                var client = MongoClients.create(
                        settings("mongodb://" + one.address() + "," + other.address() + "/?" + OPTIONS)
                                .build())) {
            Await.until(() -> events.stream()
                            .filter(ConnectionPoolEvent.ConnectionReady.class::isInstance)
                            .count()
                    == 2);
            assertThat(client.getClusterDescription().servers()).hasSize(2);
            var created = events.stream()
                    .filter(ConnectionPoolEvent.PoolCreated.class::isInstance)
                    .map(each -> ((ConnectionPoolEvent.PoolCreated) each).settings())
                    .toList();
            assertThat(created).hasSize(2).containsOnly(created.getFirst());
        }
    }

    /** CMAPP-5. */
    @Test
    void checkOutFailsWithTheConnection() throws IOException {
        try (var server = RecordingServer.primary();
                var client = MongoClients.create(settings(server.uri().replace("://", "://ann:word@")
                                + "&authMechanism=SCRAM-SHA-1&retryReads=false")
                        .build())) {
            server.answer((command, count) -> null);
            assertThatThrownBy(() ->
                            client.getDatabase("db").getCollection("c").find().first())
                    .isInstanceOf(MongoException.class);
        }
        assertThat(events)
                .filteredOn(ConnectionPoolEvent.CheckOutFailed.class::isInstance)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(((ConnectionPoolEvent.CheckOutFailed) each).reason())
                        .isEqualTo(ConnectionPoolEvent.FailReason.CONNECTION_ERROR));
    }

    /** TXNP-3. */
    @Test
    void transactionThatWaitedForClearedPoolMayBeRunAgain() throws Exception {
        try (var server = TestServer.start();
                var client = server.connect(
                        "&maxPoolSize=1&retryReads=false",
                        builder -> builder.applyToConnectionPoolSettings(
                                pools -> pools.addConnectionPoolListener(events::add)));
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var collection = client.getDatabase("db").getCollection("c");
            collection.insertOne(new Document());
            server.failCommand(
                    "{times: 1}", "{failCommands: ['find'], errorCode: 91, blockConnection: true, blockTimeMS: 500}");
            events.clear();
            var first = executor.submit(() -> {
                assertThatThrownBy(() -> collection.find().first()).isInstanceOf(MongoException.class);
            });
            Await.until(() -> events.stream().anyMatch(ConnectionPoolEvent.CheckedOut.class::isInstance));
            try (var session = client.startSession()) {
                session.startTransaction();
                assertThatThrownBy(() -> collection.insertOne(session, new Document()))
                        .isInstanceOfSatisfying(
                                MongoConnectionPoolClearedException.class,
                                e -> assertThat(e.getErrorLabels())
                                        .contains(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL));
            }
            first.get();
        }
    }

    /** HSP-2. */
    @Test
    void unknownMechanismsAreIgnored() throws IOException {
        try (var server = new RecordingServer()) {
            server.greet(RecordingServer.common(
                    "isWritablePrimary: true, saslSupportedMechs: ['SCRAM-SHA-256', 'MY-OWN', 'x']"));
            server.answer((command, count) -> "{ok: 0, code: 18, errmsg: 'no'}");
            try (var client = MongoClients.create(server.uri().replace("://", "://ann:word@"))) {
                assertThatThrownBy(() -> client.getDatabase("db").runCommand(new Document("ping", 1)))
                        .isInstanceOf(MongoException.class);
            }
            assertThat(server.commands("saslStart"))
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(each.get("mechanism")).isEqualTo(new BsonString("SCRAM-SHA-256")));
        }
    }

    /** HSP-M1.1 on the wire: connections that are made later send it. */
    @Test
    void addedLibraryIsInTheMetadataOfLaterConnections() throws IOException {
        try (var server = RecordingServer.primary();
                var client = MongoClients.create(
                        settings(server.uri() + "&maxPoolSize=1&maxIdleTimeMS=1")
                                .build(),
                        new DriverInformation("library", "1.2", null))) {
            var ping = new Document("ping", 1);
            client.getDatabase("db").runCommand(ping, ReadPreference.primary());
            client.appendMetadata("framework", "2.0", "there");
            Await.until(() -> {
                client.getDatabase("db").runCommand(ping);
                return names(server).contains("semel-driver|library|framework");
            });
            assertThat(names(server)).startsWith("semel-driver|library").doesNotHaveDuplicates();
        }
    }

    private static List<String> names(RecordingServer server) {
        return server.hellos().stream()
                .filter(each -> each.containsKey("client"))
                .map(each -> each.getDocument("client")
                        .getDocument("driver")
                        .getString("name")
                        .getValue())
                .distinct()
                .toList();
    }

    /** APIP-1 in part: every command declares the version, that of a hello and those of cursors and transactions too. */
    @Test
    void everyCommandDeclaresTheVersion() throws IOException {
        try (var server = RecordingServer.primary();
                var client = MongoClients.create(
                        settings(server.uri()).serverApi(ServerApi.of("1")).build());
                var session = client.startSession()) {
            server.answer((command, count) -> switch (command.getFirstKey()) {
                case "find" -> "{ok: 1, cursor: {id: {$numberLong: '7'}, ns: 'db.c', firstBatch: []}}";
                case "getMore" -> "{ok: 1, cursor: {id: {$numberLong: '0'}, ns: 'db.c', nextBatch: []}}";
                default -> "{ok: 1, n: 1}";
            });
            var collection = client.getDatabase("db").getCollection("c");
            session.startTransaction();
            collection.insertOne(session, new Document());
            collection.find(session).first();
            session.commitTransaction();
            client.getDatabase("db").runCommand(new Document("ping", 1));
            assertThat(server.hellos())
                    .isNotEmpty()
                    .allSatisfy(each -> assertThat(each.get("apiVersion")).isEqualTo(new BsonString("1")));
            assertThat(server.heard())
                    .extracting(each -> each.command().getFirstKey())
                    .contains("getMore", "commitTransaction");
            assertThat(server.heard())
                    .allSatisfy(
                            each -> assertThat(each.command().get("apiVersion")).isEqualTo(new BsonString("1")));
        }
    }

    /** APIP-1: a server that requires an API version serves only clients that declare it. */
    @Test
    void serverMayInsistOnTheVersion() throws IOException {
        try (var server = TestServer.start();
                var declaring = server.connect("", builder -> builder.serverApi(ServerApi.of("1")))) {
            server.admin()
                    .getDatabase("admin")
                    .runCommand(new Document("setParameter", 1).append("requireApiVersion", true));
            declaring.getDatabase("db").getCollection("c").insertOne(new Document("_id", 1));
            assertThat(declaring.getDatabase("db").getCollection("c").find().first())
                    .isNotNull();
            assertThatThrownBy(() -> server.admin()
                            .getDatabase("db")
                            .getCollection("c")
                            .find()
                            .first())
                    .isInstanceOfSatisfying(
                            MongoException.class, e -> assertThat(e.getCode()).isEqualTo(322));
        }
    }
}

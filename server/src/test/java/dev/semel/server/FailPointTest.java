package dev.semel.server;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fail points as the official driver meets them: over real connections. */
class FailPointTest {
    private Server server;
    private MongoClient other;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory());
        other = MongoClients.create(settings().build());
    }

    @AfterEach
    void stop() {
        other.close();
        server.close();
    }

    private MongoClient client(String app, boolean retries) {
        return MongoClients.create(settings()
                .applicationName(app)
                .retryReads(retries)
                .retryWrites(retries)
                .build());
    }

    /** After an error of a server that shuts down, a client does not use the server before its next heartbeat. */
    private MongoClientSettings.Builder settings() {
        return MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.connectionString()))
                .applyToServerSettings(monitoring -> monitoring
                        .heartbeatFrequency(100, TimeUnit.MILLISECONDS)
                        .minHeartbeatFrequency(10, TimeUnit.MILLISECONDS));
    }

    private long configure(String name, Object mode, Document data) {
        return admin().runCommand(new Document("configureFailPoint", name)
                        .append("mode", mode)
                        .append("data", data))
                .getLong("count");
    }

    private MongoDatabase admin() {
        return other.getDatabase("admin");
    }

    private static MongoCollection<Document> things(MongoClient client) {
        return client.getDatabase("db").getCollection("things");
    }

    private static Document times(int count) {
        return new Document("times", count);
    }

    private static Document failing(String command) {
        return new Document("failCommands", List.of(command)).append("appName", "app");
    }

    @Test
    void aClosedConnectionIsWhatTheDriverSees() {
        try (MongoClient client = client("app", false)) {
            things(client).insertOne(new Document("_id", 1));
            configure("failCommand", times(1), failing("insert").append("closeConnection", true));
            assertThatThrownBy(() -> things(client).insertOne(new Document("_id", 2)))
                    .isInstanceOf(MongoSocketException.class);
            assertThat(things(client).countDocuments()).isEqualTo(1);
        }
    }

    @Test
    void aReadIsRetriedByTheDriver() {
        try (MongoClient client = client("app", true)) {
            things(client).insertOne(new Document("_id", 1));
            configure("failCommand", times(1), failing("find").append("closeConnection", true));
            assertThat(things(client).find().first()).isEqualTo(new Document("_id", 1));
            configure("failCommand", times(1), failing("find").append("errorCode", 91));
            assertThat(things(client).find().first()).isEqualTo(new Document("_id", 1));
        }
    }

    @Test
    void afterApplyTheWriteIsThereAndTheAnswerIsNot() {
        try (MongoClient client = client("app", false)) {
            configure(
                    "failCommand",
                    times(1),
                    failing("insert").append("closeConnection", true).append("phase", "afterApply"));
            assertThatThrownBy(() -> things(client).insertOne(new Document("_id", 1)))
                    .isInstanceOf(MongoSocketException.class);
            assertThat(things(client).countDocuments()).isEqualTo(1);
        }
    }

    @Test
    void afterReplyTheAnswerArrivesAndTheConnectionEnds() {
        try (MongoClient client = client("app", false)) {
            configure(
                    "failCommand",
                    times(1),
                    failing("insert").append("closeConnection", true).append("phase", "afterReply"));
            things(client).insertOne(new Document("_id", 1));
            // The driver finds out with the next command on that connection.
            assertThatThrownBy(() -> things(client).countDocuments()).isInstanceOf(MongoSocketException.class);
            assertThat(things(client).countDocuments()).isEqualTo(1);
        }
    }

    @Test
    void failPointConcernsOnlyTheNamedApplication() {
        try (MongoClient client = client("app", false);
                MongoClient spared = client("another", false)) {
            configure("failCommand", "alwaysOn", failing("ping").append("errorCode", 8));
            spared.getDatabase("db").runCommand(new Document("ping", 1));
            assertThatThrownBy(() -> client.getDatabase("db").runCommand(new Document("ping", 1)))
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(8));
        }
    }

    @Test
    void whoWaitsForAFailPointIsWokenWhileTheCommandBlocks() throws Exception {
        try (MongoClient client = client("app", false);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            long before = configure(
                    "failCommand",
                    times(1),
                    failing("ping").append("blockConnection", true).append("blockTimeMS", 600_000));
            var blocked = threads.submit(() -> client.getDatabase("db").runCommand(new Document("ping", 1)));
            admin().runCommand(new Document("waitForFailPoint", "failCommand")
                    .append("timesEntered", before + 1)
                    .append("maxTimeMS", 10_000));
            assertThat(blocked).isNotDone();
            Document operation = requireNonNull(admin().aggregate(List.of(
                            new Document("$currentOp", new Document()),
                            new Document("$match", new Document("command.ping", 1))))
                    .first());
            admin().runCommand(new Document("killOp", 1).append("op", operation.get("opid")));
            assertThatThrownBy(() -> blocked.get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(MongoCommandException.class)
                    .hasMessageContaining("interrupted");
        }
    }

    @Test
    void theServerEndsWhileACommandBlocks() throws Exception {
        try (MongoClient client = client("app", false);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            configure(
                    "failCommand",
                    "alwaysOn",
                    failing("ping")
                            .append("blockConnection", true)
                            .append("blockTimeMS", 600_000)
                            .append("phase", "afterReply"));
            client.getDatabase("db").runCommand(new Document("ping", 1));
            configure(
                    "failCommand",
                    "alwaysOn",
                    failing("ping").append("blockConnection", true).append("blockTimeMS", 600_000));
            var blocked = threads.submit(() -> client.getDatabase("db").runCommand(new Document("ping", 1)));
            server.close();
            assertThatThrownBy(() -> blocked.get(10, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void aHandshakeFailsWhereItIsNamed() {
        configure(
                "failCommand",
                times(1),
                new Document("failCommands", List.of("hello", "isMaster", "ismaster"))
                        .append("appName", "app")
                        .append("closeConnection", true));
        try (MongoClient client = client("app", true)) {
            // Whether the fault hits the connection of the monitor or of a command, the driver tries again.
            assertThat(things(client).countDocuments()).isZero();
        }
        assertThat(configure("failCommand", "off", new Document())).isEqualTo(1);
    }

    @Test
    void aFirstHelloIsKnownByTheNameItBrings() {
        configure(
                "failCommand",
                "alwaysOn",
                new Document("failCommands", List.of("hello", "isMaster", "ismaster"))
                        .append("appName", "unwelcome")
                        .append("closeConnection", true));
        String uri = server.connectionString();
        String options = (uri.contains("?") ? "&" : "?") + "appName=unwelcome&serverSelectionTimeoutMS=500";
        try (MongoClient client = MongoClients.create(uri + options)) {
            assertThatThrownBy(() -> things(client).countDocuments()).isInstanceOf(MongoTimeoutException.class);
        } finally {
            configure("failCommand", "off", new Document());
        }
    }

    @Test
    void withoutTestCommandsThereAreNone() throws IOException {
        try (Server strict = Server.start(ServerOptions.memory().parameters(Map.of("enableTestCommands", "0")));
                MongoClient client = MongoClients.create(strict.connectionString())) {
            assertThatThrownBy(() -> client.getDatabase("admin")
                            .runCommand(new Document("configureFailPoint", "failCommand").append("mode", "off")))
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCodeName()).isEqualTo("CommandNotFound"));
        }
    }

    /** Every kind of write that drivers retry, with its answer lost after it was applied. */
    @Test
    void aRetriedWriteWhoseAnswerWasLostIsAppliedOnce() {
        try (MongoClient client = client("app", true)) {
            MongoCollection<Document> things = things(client);
            things.insertOne(new Document("_id", 0));
            for (String command : List.of("insert", "update", "delete", "findAndModify")) {
                configure(
                        "failCommand",
                        times(1),
                        failing(command).append("closeConnection", true).append("phase", "afterApply"));
                switch (command) {
                    case "insert" -> things.insertOne(new Document("_id", 1).append("n", 0));
                    case "update" ->
                        assertThat(things.updateOne(eq("_id", 1), inc("n", 1)).getModifiedCount())
                                .isEqualTo(1);
                    case "delete" ->
                        assertThat(things.deleteOne(eq("_id", 0)).getDeletedCount())
                                .isEqualTo(1);
                    default ->
                        assertThat(things.findOneAndUpdate(eq("_id", 1), inc("n", 1)))
                                .isEqualTo(new Document("_id", 1).append("n", 1));
                }
            }
            assertThat(things.find()).containsExactly(new Document("_id", 1).append("n", 2));
        }
    }

    @Test
    void differentFaultsMeetSuccessiveAttempts() {
        try (MongoClient client = client("app", false)) {
            things(client).insertOne(new Document("_id", 1).append("n", 0));
            configure(
                    "failCommand",
                    "alwaysOn",
                    failing("update")
                            .append(
                                    "faults",
                                    List.of(
                                            new Document("errorCode", 189),
                                            new Document("closeConnection", true),
                                            new Document("closeConnection", true).append("phase", "afterApply"))));
            for (int n : List.of(0, 0, 1)) {
                assertThatThrownBy(() -> things(client).updateOne(eq("_id", 1), inc("n", 1)))
                        .isInstanceOf(MongoException.class);
                assertThat(things(client).find().first()).containsEntry("n", n);
            }
            things(client).updateOne(eq("_id", 1), inc("n", 1));
            assertThat(things(client).find().first()).containsEntry("n", 2);
        }
    }

    @Test
    void aWriteThatLosesItsConnectionAtTheCommitIsRetriedAndThere() {
        try (MongoClient client = client("app", true)) {
            things(client).insertOne(new Document("_id", 1).append("n", 0));
            configure("onPrimaryTransactionalWrite", times(1), new Document());
            things(client).updateOne(eq("_id", 1), inc("n", 1));
            assertThat(things(client).find().first()).containsEntry("n", 1);
            configure("onPrimaryTransactionalWrite", times(1), new Document("failBeforeCommitExceptionCode", 1));
            things(client).updateOne(eq("_id", 1), inc("n", 1));
            assertThat(things(client).find().first()).containsEntry("n", 2);
            assertThat(configure("onPrimaryTransactionalWrite", "off", new Document()))
                    .isEqualTo(2);
        }
    }

    @Test
    void aWriteThatFailsBeforeItsCommitIsNotApplied() {
        try (MongoClient client = client("app", true)) {
            things(client).insertOne(new Document("_id", 1).append("n", 0));
            configure(
                    "onPrimaryTransactionalWrite",
                    "alwaysOn",
                    new Document("failBeforeCommitExceptionCode", 1).append("closeConnection", false));
            assertThatThrownBy(() -> things(client).updateOne(eq("_id", 1), inc("n", 1)))
                    .isInstanceOf(MongoException.class);
            configure("onPrimaryTransactionalWrite", "off", new Document());
            assertThat(things(client).find().first()).containsEntry("n", 0);
        }
    }
}

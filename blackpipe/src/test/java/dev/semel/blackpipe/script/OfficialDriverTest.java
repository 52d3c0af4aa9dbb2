package dev.semel.blackpipe.script;

import static dev.semel.blackpipe.message.Match.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.result.InsertOneResult;
import com.mongodb.connection.ServerDescription;
import dev.semel.blackpipe.message.Replies;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The scripted server as the official driver sees it; what the driver does is the driver's, what we send it is ours. */
class OfficialDriverTest {
    private static final String INSERTED = "{\"ok\": 1, \"n\": 1}";

    private ScriptedServer server;
    private MongoClient client;

    @BeforeEach
    void start() throws IOException {
        server = ScriptedServer.start();
        client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                // After a failure the driver may wait for the next heartbeat, which by default is as long as we wait
                // for it.
                .applyToServerSettings(each -> each.heartbeatFrequency(1, TimeUnit.SECONDS))
                .build());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.close();
    }

    private MongoCollection<Document> collection() {
        return client.getDatabase("db").getCollection("c");
    }

    private Pending<InsertOneResult> insert() {
        return Pending.of(() -> collection().insertOne(new Document("_id", 7)));
    }

    @Test
    void requestArrivesWithItsSequences() {
        var inserted = insert();
        var exchange = server.receives(command("insert").on("db.c").with("documents.0._id", Value.of(7L)));
        assertThat(exchange.request().get("documents.0._id")).isEqualTo(Value.of(7));
        exchange.reply(INSERTED);
        assertThat(inserted.result().wasAcknowledged()).isTrue();
    }

    @Test
    void writeIsSentAgainAfterHangUpWithTheSameNumber() {
        var inserted = insert();
        var first = server.receives(command("insert").on("db.c").with("txnNumber"));
        first.hangUp();
        var second = server.receives(command("insert").on("db.c"));
        assertThat(second.request().get("txnNumber")).isEqualTo(first.request().get("txnNumber"));
        second.reply(INSERTED);
        inserted.result();
    }

    @Test
    void halfAReplyIsALostReply() {
        for (int bytes : List.of(0, 7, 16, 30)) {
            var inserted = insert();
            server.receives(command("insert")).hangUpAfter(bytes);
            server.receives(command("insert")).reply(INSERTED);
            inserted.result();
        }
    }

    @Test
    void garbageIsNoMessage() {
        var inserted = insert();
        server.receives(command("insert")).garbage();
        assertThat(inserted.failure()).isInstanceOf(MongoException.class);
    }

    @Test
    void resetIsANetworkError() {
        var found = Pending.of(() -> collection().find().first());
        server.receives(command("find")).reset();
        server.receives(command("find")).reset();
        assertThat(found.failure()).isInstanceOf(MongoSocketException.class);
    }

    @Test
    void errorCarriesCodeNameAndLabels() {
        var inserted = insert();
        server.receives(command("insert")).error(11601, "SomeLabel");
        assertThat(inserted.failure()).isInstanceOfSatisfying(MongoCommandException.class, e -> {
            assertThat(e.getErrorCode()).isEqualTo(11601);
            assertThat(e.getErrorCodeName()).isEqualTo("Interrupted");
            assertThat(e.getErrorLabels()).containsExactly("SomeLabel");
        });
    }

    @Test
    void stalledRequestWaits() {
        var inserted = insert();
        server.receives(command("insert")).stall();
        server.receivesNothing(Duration.ofMillis(50));
        assertThat(inserted.isDone()).isFalse();
    }

    @Test
    void responderAnswersInTheTestsPlace() {
        server.always(command("count"), request -> Json.parse("{\"ok\": 1, \"n\": 5}"));
        assertThat(Pending.of(() -> collection().estimatedDocumentCount()).result())
                .isEqualTo(5);
    }

    @Test
    void mismatchSaysWhatWasExpectedWhatCameAndWhereFrom() {
        insert();
        assertThatThrownBy(() -> server.receives(command("update").on("db.c")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected update on db.c, but received insert on db.c, connection ")
                .hasMessageContaining("\"documents\": [{\"_id\": 7}]")
                .hasMessageContaining("answered by itself: {");
    }

    @Test
    void missingRequestFailsAtTheDeadline() throws IOException {
        try (var impatient = ScriptedServer.start(Duration.ofMillis(20))) {
            assertThatThrownBy(() -> impatient.receives(command("find")))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("expected find, but nothing came within 20 ms")
                    .hasMessageContaining("0 connections so far");
        }
    }

    @Test
    void standaloneAndRouterPassForWhatTheySay() throws IOException {
        for (var standing : List.of(Identity.Standing.STANDALONE, Identity.Standing.ROUTER)) {
            try (var other = ScriptedServer.start()) {
                other.announce(other.identity().as(standing));
                try (var guest = MongoClients.create("mongodb://" + other.address())) {
                    var pinged = Pending.of(() -> guest.getDatabase("db").runCommand(new Document("dbStats", 1)));
                    other.receives(command("dbStats")).ok();
                    pinged.result();
                    assertThat(guest.getClusterDescription().getServerDescriptions())
                            .singleElement()
                            .satisfies(each ->
                                    assertThat(each.isReplicaSetMember()).isFalse())
                            .satisfies(each ->
                                    assertThat(each.isShardRouter()).isEqualTo(standing == Identity.Standing.ROUTER));
                }
            }
        }
    }

    @Test
    void handshakesMayBeWrittenByHand() throws IOException {
        try (var other = ScriptedServer.start().handshakesByHand();
                var guest = MongoClients.create("mongodb://" + other.address())) {
            var pinged = Pending.of(() -> guest.getDatabase("db").runCommand(new Document("dbStats", 1)));
            var handshake = other.receives(command("isMaster", "hello").on("admin"));
            assertThat(handshake.request().get("client.driver.name")).isNotNull();
            handshake.garbage();
            assertThat(pinged.isDone()).isFalse();
        }
    }

    @Test
    void replicaSetStepsDownAndElectsAnother() throws IOException {
        try (var set = ScriptedReplicaSet.start(3);
                var member = MongoClients.create(set.uri())) {
            var inserted =
                    Pending.of(() -> member.getDatabase("db").getCollection("c").insertOne(new Document()));
            var first = set.member(0).receives(command("insert"));
            set.stepDown();
            // A hello from before may still be on its way, and would send the retry to the old primary.
            awaitNoPrimary(member);
            first.error(10107, "RetryableWriteError");
            set.elect(2);
            set.member(2).receives(command("insert")).reply(INSERTED);
            inserted.result();
        }
    }

    private static void awaitNoPrimary(MongoClient member) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (member.getClusterDescription().getServerDescriptions().stream().anyMatch(ServerDescription::isPrimary)) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void clientOfASplitSetFollowsTheLaterElection() throws IOException {
        try (var set = ScriptedReplicaSet.start(3);
                var member = MongoClients.create(set.uri())) {
            var collection = member.getDatabase("db").getCollection("c");
            var before = Pending.of(() -> collection.insertOne(new Document()));
            set.member(0).receives(command("insert")).reply(INSERTED);
            before.result();
            set.elects(1);
            // The old primary still believes in itself, so only its refusal makes the driver look around.
            set.member(0)
                    .always(
                            command("insert"),
                            request -> Replies.error(10107, "not primary", List.of("RetryableWriteError")));
            var after = Pending.of(() -> collection.insertOne(new Document()));
            var where = Pending.of(() -> set.member(1).receives(command("insert")));
            where.result().reply(INSERTED);
            after.result();
        }
    }
}

package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.event.ClusterEvent;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.ServerAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server says about itself may be nonsense for a while; the client is well again when the server is. */
@Timeout(60)
class MalformedHelloTest {
    /** One value of each type, and numbers and strings out of range. */
    private static final BsonDocument VALUES = BsonDocument.parse("""
        {a: {$numberInt: '-1'}, b: {$numberLong: '9223372036854775807'}, c: {$numberDouble: 'NaN'}, d: 'x:y:z', e: '',
         f: true, g: null, h: {}, i: {a: 1}, j: [], k: [1], l: ['a:99999'], m: {$oid: '000000000000000000000000'},
         n: {$date: {$numberLong: '1'}}, o: {$binary: {base64: '', subType: '00'}}, p: {$minKey: 1}, q: [[]],
         r: {$timestamp: {t: 1, i: 1}}, s: {$numberDecimal: 'NaN'}, t: {processId: 1, counter: 'x'}}\
        """);

    private static final List<String> FIELDS = List.of(
            "ok",
            "helloOk",
            "minWireVersion",
            "maxWireVersion",
            "maxBsonObjectSize",
            "maxMessageSizeBytes",
            "maxWriteBatchSize",
            "setName",
            "setVersion",
            "hosts",
            "passives",
            "arbiters",
            "me",
            "primary",
            "tags",
            "electionId",
            "lastWrite",
            "logicalSessionTimeoutMinutes",
            "isWritablePrimary",
            "secondary",
            "hidden",
            "msg",
            "compression",
            "connectionId",
            "serviceId",
            "topologyVersion",
            "saslSupportedMechs",
            "speculativeAuthenticate",
            "code",
            "errorLabels",
            "$clusterTime");

    @Test
    void anyAnswerIsADescriptionOrRefused() {
        var address = new ServerAddress("localhost", 1);
        for (String field : FIELDS) {
            for (BsonValue value : VALUES.values()) {
                BsonDocument hello = BsonDocument.parse(RecordingServer.common("setName: 'rs', hosts: ['a:1']"));
                hello.put(field, value);
                try {
                    assertThat(ServerDescription.of(address, hello, null, Duration.ZERO)
                                    .address())
                            .isEqualTo(address);
                } catch (MongoException e) {
                    assertThat(e).hasMessageContaining("to hello cannot be understood");
                }
            }
        }
    }

    /** Connections of operations and monitors both: whatever the hello, the exception is one of the driver's. */
    @Test
    void anyGreetingEndsInAnAnswerOrAnExceptionOfTheDriver() throws IOException {
        try (var server = RecordingServer.primary()) {
            server.answer((command, count) -> "{ok: 1, n: 1, nModified: 1}");
            BsonDocument right = BsonDocument.parse(RecordingServer.member(server, "isWritablePrimary: true", server));
            for (String field : FIELDS) {
                for (BsonValue value : VALUES.values()) {
                    BsonDocument hello = right.clone();
                    hello.put(field, value);
                    // The monitor, whose connection is the first, is told the truth.
                    int first = server.connections();
                    server.helloEach(connection -> (connection <= first + 1 ? right : hello).toJson());
                    try (MongoClient client = MongoClients.create(server.uri()
                            + "&directConnection=true&timeoutMS=20000&retryWrites=false&compressors=zlib")) {
                        client.getDatabase("db").getCollection("c").insertOne(new Document());
                    } catch (MongoException e) {
                        // Which of the two depends on what the field means.
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tags: {rack: 1}",
                "hosts: [1]",
                "hosts: ['a:b:c']",
                "me: ':1'",
                "minWireVersion: 'x'",
                "topologyVersion: {processId: 1}",
                "ok: 'yes'"
            })
    void theMonitorGoesOnAsking(String malformed) throws IOException {
        try (var server = RecordingServer.primary()) {
            String right = RecordingServer.member(server, "isWritablePrimary: true", server);
            BsonDocument wrong = BsonDocument.parse(right);
            wrong.putAll(BsonDocument.parse("{" + malformed + "}"));
            server.greet(wrong.toJson());
            var failures = new CopyOnWriteArrayList<ClusterEvent>();
            try (MongoClient client = MongoClients.create(MongoClientSettings.builder()
                    .applyConnectionString(new ConnectionString(server.uri()))
                    .applyToServerSettings(servers -> servers.heartbeatFrequency(Duration.ofMillis(500))
                            .minHeartbeatFrequency(Duration.ofMillis(1)))
                    .applyToClusterSettings(cluster -> cluster.addClusterListener(event -> {
                        if (event instanceof ClusterEvent.HeartbeatFailed
                                || event instanceof ClusterEvent.HeartbeatSucceeded) {
                            failures.add(event);
                        }
                    }))
                    .build())) {
                Await.until(() -> !failures.isEmpty());
                server.greet(right);
                client.getDatabase("db").getCollection("c").insertOne(new Document());
            }
        }
    }

    @Test
    void whatIsMalformedIsInTheExceptionOfTheSelection() throws IOException {
        try (var server = RecordingServer.primary()) {
            server.greet(RecordingServer.member(server, "isWritablePrimary: true, tags: {rack: 1}", server));
            try (MongoClient client = MongoClients.create(server.uri() + "&serverSelectionTimeoutMS=100")) {
                assertThatThrownBy(() ->
                                client.getDatabase("db").getCollection("c").insertOne(new Document()))
                        .isInstanceOf(MongoTimeoutException.class)
                        .hasMessageContaining("to hello cannot be understood: Value expected to be of type STRING");
            }
        }
    }
}

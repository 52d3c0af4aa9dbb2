package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.event.ConnectionPoolEvent;
import dev.semel.driver.setting.ConnectionString;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures that come again and again, or from the client itself. */
@Timeout(30)
class StubbornFailuresTest {
    private static final String OPEN = "{ok: 1, cursor: {id: {$numberLong: '7'}, ns: 'db.c', firstBatch: [],"
            + " postBatchResumeToken: {_data: '1'}}}";
    private static final String CHANGE =
            "{ok: 1, cursor: {id: {$numberLong: '7'}, ns: 'db.c', nextBatch: [{_id: {_data: '2'}, x: 1}],"
                    + " postBatchResumeToken: {_data: '2'}}}";

    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = RecordingServer.primary();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** Otherwise the server is asked thousands of times a second, and each failure is kept. */
    @Test
    void aFailureThatNeverEndsIsNotAskedForAllTheTime() {
        server.answer((command, count) -> "{ok: 0, code: 134, errmsg: 'not yet'}");
        try (MongoClient client = MongoClients.create(server.uri() + "&timeoutMS=1500")) {
            Throwable thrown = catchThrowable(
                    () -> client.getDatabase("db").getCollection("c").find().first());

            assertThat(thrown)
                    .isInstanceOf(MongoOperationTimeoutException.class)
                    .hasCauseInstanceOf(MongoCommandException.class);
            assertThat(Objects.requireNonNull(thrown.getCause()).getSuppressed())
                    .hasSizeBetween(1, 20);
            assertThat(server.commands("find")).hasSizeBetween(3, 60);
        }
    }

    /** A pool that was cleared, or had no connection in time, says nothing about the stream. */
    @Test
    void aChangeStreamResumesAfterItsPoolWasCleared() {
        server.answer((command, count) -> switch (command.getFirstKey()) {
            case "aggregate" -> OPEN;
            case "getMore" -> CHANGE;
            case "killCursors" -> "{ok: 1}";
            default -> null;
        });
        try (MongoClient client = MongoClients.create(server.uri() + "&retryReads=false")) {
            var database = client.getDatabase("db");
            try (var changes =
                    database.getCollection("c").watch(BsonDocument.class).cursor()) {
                // Its connection breaks off, and so does every other of the pool.
                assertThatThrownBy(() -> database.runCommand(new Document("hangUp", 1)));

                assertThat(changes.tryNext()).isNotNull();
                assertThat(server.commands("aggregate")).hasSize(2);
            }
        }
    }

    @Test
    void aChangeStreamResumesAfterItGotNoConnectionInTime() throws Exception {
        var waited = new CountDownLatch(1);
        var isHeld = new CountDownLatch(1);
        server.answer((command, count) -> {
            if (command.getFirstKey().equals("hold")) {
                isHeld.countDown();
                waited.await();
            }
            return switch (command.getFirstKey()) {
                case "aggregate" -> OPEN;
                case "getMore" -> CHANGE;
                default -> "{ok: 1}";
            };
        });
        try (MongoClient client = MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri() + "&maxPoolSize=1&waitQueueTimeoutMS=300"))
                .applyToConnectionPoolSettings(pool -> pool.addConnectionPoolListener(event -> {
                    if (event instanceof ConnectionPoolEvent.CheckOutFailed) {
                        waited.countDown();
                    }
                }))
                .build())) {
            var database = client.getDatabase("db");
            try (var changes =
                    database.getCollection("c").watch(BsonDocument.class).cursor()) {
                Thread holder = Thread.ofVirtual().start(() -> database.runCommand(new Document("hold", 1)));
                isHeld.await();

                assertThat(changes.tryNext()).isNotNull();
                assertThat(server.commands("aggregate")).hasSize(2);
                holder.join();
            }
        }
    }

    /** There, retryWrites=false changes nothing. */
    @Test
    void transactionOnAStandaloneDoesNotAdviseAboutRetries() {
        server.answer((command, count) -> "{ok: 0, code: 20, codeName: 'IllegalOperation',"
                + " errmsg: 'Transaction numbers are only allowed on a replica set member or mongos'}");
        try (MongoClient client = MongoClients.create(server.uri());
                ClientSession session = client.startSession()) {
            var collection = client.getDatabase("db").getCollection("c");
            session.startTransaction();

            assertThatThrownBy(() -> collection.insertOne(session, new Document()))
                    .isInstanceOf(MongoCommandException.class)
                    .hasMessageContaining("Transaction numbers are only allowed on a replica set member");
            assertThatThrownBy(() -> collection.insertOne(new Document())).hasMessageContaining("retryWrites=false");
        }
    }

    @Test
    void jsonIsAFilterAndADocument() throws IOException {
        try (TestServer real = TestServer.start()) {
            var collection = real.admin().getDatabase("db").getCollection("c", JsonObject.class);
            collection.insertMany(List.of(new JsonObject("{_id: 1, x: 'a'}"), new JsonObject("{_id: 2, x: 'b'}")));

            JsonObject found = collection.find(new JsonObject("{x: 'b'}")).first();
            assertThat(found).isEqualTo(new JsonObject("{\"_id\": 2, \"x\": \"b\"}"));
        }
    }
}

package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.setting.MongoNamespace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractThrowableAssert;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A reply that is BSON but not what the protocol says raises an exception of the driver, and nothing is left behind. */
@Timeout(30)
class MalformedReplyTest {
    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = RecordingServer.primary();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void run(String command, MongoCollection<Document> collection) {
        var document = new Document("a", 1);
        var update = new Document("$set", document);
        switch (command) {
            case "insert" -> collection.insertOne(document);
            case "insertMany" -> collection.insertMany(List.of(document, new Document()));
            case "update" -> collection.updateOne(document, update, new UpdateOptions().upsert(true));
            case "delete" -> collection.deleteMany(document);
            case "findAndModify" -> collection.findOneAndUpdate(document, update);
            case "find" -> collection.find().into(new ArrayList<>());
            case "aggregate" -> collection.aggregate(List.of()).into(new ArrayList<>());
            case "count" -> collection.countDocuments();
            case "distinct" -> collection.distinct("a", Integer.class).into(new ArrayList<>());
            case "listIndexes" -> collection.listIndexes().into(new ArrayList<>());
            case "watch" -> collection.watch().cursor().close();
            default -> throw new IllegalArgumentException(command);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "find aggregate count listIndexes watch | {ok: 1} | it has no cursor",
                "find aggregate count listIndexes watch | {ok: 1, cursor: 1} | it has no cursor",
                "find aggregate count | {ok: 1, cursor: {id: 0, ns: 'db.c'}} | its cursor has no batch",
                "find aggregate | {ok: 1, cursor: {id: 0, ns: 'db.c', firstBatch: 1}} | its cursor has no batch",
                "find aggregate | {ok: 1, cursor: {id: 5, firstBatch: []}} | its cursor has no namespace",
                "find watch | {ok: 1, cursor: {id: 5, ns: 'db', firstBatch: []}} | its cursor has no namespace",
                "find aggregate | {ok: 1, cursor: {id: 0, ns: 'db.c', firstBatch: [1]}} | element that is not a"
                        + " document",
                "distinct | {ok: 1} | it has no values",
                "distinct | {ok: 1, values: 1} | it has no values",
                "insert insertMany update delete findAndModify | {ok: 1, writeConcernError: 1} | type DOCUMENT",
                "insert findAndModify | {ok: 1, writeErrors: 1} | type ARRAY",
                "insert findAndModify | {ok: 1, writeErrors: []} | Index 0",
                "insert insertMany update delete findAndModify | {ok: 1, writeErrors: [1]} | type DOCUMENT",
                "insertMany update delete | {ok: 1, n: 'x'} | numerical",
                "insertMany update delete | {ok: 1, writeErrors: [{}]} | does not contain key index",
                "insertMany update delete | {ok: 1, writeErrors: [{index: 2}]} | Index 2 out of bounds",
                "insertMany update delete | {ok: 1, writeErrors: [{index: 77}]} | Index 77 out of bounds",
                "insertMany update delete | {ok: 1, writeErrors: [{index: -1}]} | Index -1 out of bounds",
                "update | {ok: 1, n: 1, upserted: [1]} | type DOCUMENT",
                "update | {ok: 1, n: 1, upserted: [{index: 9, _id: 1}]} | Index 9 out of bounds",
            })
    void raisesAnExceptionOfTheDriver(String commands, String reply, String message) {
        for (String command : commands.split(" ", -1)) {
            expect(
                            collectionClient -> run(
                                    command, collectionClient.getDatabase("db").getCollection("c")),
                            reply)
                    .as(command)
                    .isInstanceOf(MongoClientException.class)
                    .hasMessageContaining("The reply of " + server.address() + " is malformed: ")
                    .hasMessageContaining(message);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ok: 1} | it has no cursor",
                "{ok: 1, cursor: {id: 0, ns: 'a.b', firstBatch: [{idx: 9, ok: 1}]}} | Index: 9",
                "{ok: 1, cursor: {id: 0, ns: 'a.b', firstBatch: [{idx: 'x', ok: 1}]}} | numerical",
                "{ok: 1, writeConcernError: {code: 91}, errorLabels: ['RetryableWriteError']} | does not contain key"
                        + " cursor",
            })
    void raisesAnExceptionOfTheDriverInABulkWriteOfTheClient(String reply, String message) {
        var insert = ClientNamespacedWriteModel.insertOne(new MongoNamespace("db", "c"), new Document());
        expect(client -> client.bulkWrite(List.of(insert, insert)), reply)
                .isInstanceOf(MongoException.class)
                .hasStackTraceContaining("The reply of " + server.address() + " is malformed: ")
                .hasStackTraceContaining(message);
    }

    private AbstractThrowableAssert<?, ? extends Throwable> expect(Consumer<MongoClient> operation, String reply) {
        server.answer((command, count) -> command.getFirstKey().equals("ping") ? "{ok: 1}" : reply);
        try (var client = MongoClients.create(server.uri() + "&maxPoolSize=1&waitQueueTimeoutMS=5000")) {
            Throwable failure = catchThrowable(() -> operation.accept(client));
            assertThat(client.getDatabase("db").runCommand(new Document("ping", 1)))
                    .containsEntry("ok", 1);
            return assertThat(failure);
        }
    }
}

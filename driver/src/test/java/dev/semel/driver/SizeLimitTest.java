package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.model.ReplaceOneModel;
import dev.semel.driver.setting.WriteConcern;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is too large for the server is refused before anything of it is sent, and the connection is used again. */
class SizeLimitTest {
    private static final int DOCUMENT_BYTES = 20_000;
    private static final int COMMAND_BYTES = DOCUMENT_BYTES + 16 * 1024;
    private static final BsonDocument ID = new BsonDocument("_id", new BsonInt32(1));
    private static final BsonDocument LARGEST = ofBytes(DOCUMENT_BYTES);
    private static final BsonDocument TOO_LARGE = ofBytes(DOCUMENT_BYTES + 1);
    private static final BsonDocument CHANGE = new BsonDocument("$set", ofBytes(COMMAND_BYTES));

    private RecordingServer server;

    @BeforeEach
    void start() throws IOException {
        server = new RecordingServer();
        limit(100_000);
        server.answer((command, count) ->
                "{ok: 1, n: 1, value: null, cursor: {id: {$numberLong: '0'}, ns: 'db.c'," + " firstBatch: []}}");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void limit(int messageBytes) {
        server.greet(RecordingServer.member(server, "isWritablePrimary: true", server)
                .replace("maxBsonObjectSize: 16777216", "maxBsonObjectSize: " + DOCUMENT_BYTES)
                .replace("maxMessageSizeBytes: 48000000", "maxMessageSizeBytes: " + messageBytes));
    }

    /** With an id, and as long as that. */
    private static BsonDocument ofBytes(int length) {
        var document = new BsonDocument("_id", new BsonInt32(1)).append("x", new BsonBinary(new byte[0]));
        int rest = new RawBsonDocument(document, new BsonDocumentCodec())
                .getByteBuffer()
                .remaining();
        return document.append("x", new BsonBinary(new byte[length - rest]));
    }

    private static MongoCollection<BsonDocument> withoutAnswer(MongoCollection<BsonDocument> collection) {
        return collection.withWriteConcern(WriteConcern.UNACKNOWLEDGED);
    }

    private static Map.Entry<String, Consumer<MongoCollection<BsonDocument>>> use(
            String name, Consumer<MongoCollection<BsonDocument>> use) {
        return Map.entry(name, use);
    }

    static Stream<Map.Entry<String, Consumer<MongoCollection<BsonDocument>>>> tooLarge() {
        return Stream.of(
                use("insertOne", on -> on.insertOne(TOO_LARGE)),
                use("insertOne, w: 0", on -> withoutAnswer(on).insertOne(TOO_LARGE)),
                use("insertMany", on -> on.insertMany(List.of(TOO_LARGE))),
                use("insertMany, w: 0", on -> withoutAnswer(on).insertMany(List.of(TOO_LARGE))),
                use("replaceOne", on -> on.replaceOne(ID, TOO_LARGE)),
                use("replaceOne, w: 0", on -> withoutAnswer(on).replaceOne(ID, TOO_LARGE)),
                use("bulkWrite", on -> on.bulkWrite(List.of(new ReplaceOneModel<>(ID, TOO_LARGE)))),
                use("findOneAndReplace", on -> on.findOneAndReplace(ID, TOO_LARGE)),
                use("updateOne", on -> on.updateOne(ID, CHANGE)),
                use("findOneAndUpdate", on -> on.findOneAndUpdate(ID, CHANGE)),
                use("find", on -> on.find(ofBytes(COMMAND_BYTES)).first()));
    }

    @ParameterizedTest
    @MethodSource
    void tooLarge(Map.Entry<String, Consumer<MongoCollection<BsonDocument>>> use) {
        assertRefused(use.getValue());
    }

    /** A server may take messages that are smaller than its documents, as one behind a proxy does. */
    @Test
    void messageThatIsTooLargeIsRefused() {
        limit(10_000);
        assertRefused(on -> on.insertOne(ofBytes(10_000)));
        assertRefused(on -> on.find(ofBytes(10_000)).first());
    }

    private void assertRefused(Consumer<MongoCollection<BsonDocument>> use) {
        try (var client = MongoClients.create(server.uri())) {
            var database = client.getDatabase("db");
            database.runCommand(new Document("ping", 1));
            int before = server.heard().size();
            assertThatThrownBy(() -> use.accept(database.getCollection("c", BsonDocument.class)))
                    .isExactlyInstanceOf(MongoClientException.class)
                    .hasMessageContaining("is larger than the server's limit of");
            database.runCommand(new Document("ping", 1));
            var heard = server.heard().subList(before - 1, before + 1);
            assertThat(server.heard()).hasSize(before + 1);
            assertThat(heard.get(1).connection()).isEqualTo(heard.get(0).connection());
        }
    }

    @Test
    void largestDocumentIsSent() {
        try (var client = MongoClients.create(server.uri())) {
            var collection = client.getDatabase("db").getCollection("c", BsonDocument.class);
            collection.insertOne(LARGEST);
            collection.insertMany(List.of(LARGEST));
            collection.replaceOne(ID, LARGEST);
            collection.findOneAndReplace(ID, LARGEST);
        }
        assertThat(server.commands("insert")).hasSize(2);
        assertThat(server.commands("update")).hasSize(1);
        assertThat(server.commands("findAndModify")).hasSize(1);
    }

    @Test
    void whatComesBeforeTheTooLargeDocumentIsWritten() {
        try (var client = MongoClients.create(server.uri())) {
            var collection = client.getDatabase("db").getCollection("c", BsonDocument.class);
            assertThatThrownBy(() -> collection.bulkWrite(
                            List.of(new ReplaceOneModel<>(ID, ID), new ReplaceOneModel<>(ID, TOO_LARGE))))
                    .isExactlyInstanceOf(MongoClientException.class);
        }
        assertThat(server.commands("update"))
                .singleElement()
                .satisfies(each -> assertThat(each.getArray("updates")).hasSize(1));
    }
}

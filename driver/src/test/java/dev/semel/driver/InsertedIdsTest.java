package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.model.BulkWriteResult;
import dev.semel.driver.model.ClientBulkWriteOptions;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.model.InsertOneModel;
import dev.semel.driver.model.MongoBulkWriteException;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.MongoNamespace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonReader;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.bson.Document;
import org.bson.codecs.CollectibleCodec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ids that inserts report are those of the documents that were stored, and documents are encoded when they are sent. */
class InsertedIdsTest {
    private static TestServer server;
    private static MongoClient client;

    public record Note(@BsonId @Nullable ObjectId id, String text) {}

    /** Immutable: to give it an id is to make another. */
    record Thing(@Nullable ObjectId id, String name) {}

    private static final class ThingCodec implements CollectibleCodec<Thing> {
        @Override
        public Thing generateIdIfAbsentFromDocument(Thing document) {
            return document.id == null ? new Thing(new ObjectId(), document.name) : document;
        }

        @Override
        public boolean documentHasId(Thing document) {
            return document.id != null;
        }

        @Override
        public BsonValue getDocumentId(Thing document) {
            return new BsonObjectId(document.id);
        }

        @Override
        public void encode(BsonWriter writer, Thing value, EncoderContext context) {
            writer.writeStartDocument();
            writer.writeString("name", value.name);
            writer.writeObjectId("_id", value.id);
            writer.writeEndDocument();
        }

        @Override
        public Thing decode(BsonReader reader, DecoderContext context) {
            throw new UnsupportedOperationException("only stored here");
        }

        @Override
        public Class<Thing> getEncoderClass() {
            return Thing.class;
        }
    }

    @BeforeAll
    static void start() throws IOException {
        server = TestServer.start();
        client = server.connect(
                "",
                settings -> settings.codecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(new ThingCodec()), MongoClientSettings.getDefaultCodecRegistry())));
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @BeforeEach
    void empty() {
        client.getDatabase("db").drop();
    }

    private static <T> MongoCollection<T> collection(Class<T> type) {
        return client.getDatabase("db").getCollection("c", type);
    }

    private static List<BsonValue> stored() {
        return collection(BsonDocument.class)
                .find()
                .sort(new Document("$natural", 1))
                .map(each -> each.get("_id", BsonNull.VALUE))
                .into(new ArrayList<>());
    }

    @Test
    void immutableDocumentsAreStoredWithTheIdThatIsReported() {
        var things = collection(Thing.class);
        var reported = new ArrayList<BsonValue>();
        reported.add(things.insertOne(new Thing(null, "a")).insertedId());
        reported.addAll(things.insertMany(List.of(new Thing(null, "b"), new Thing(null, "c")))
                .insertedIds()
                .values());
        BulkWriteResult bulk = things.bulkWrite(List.of(new InsertOneModel<>(new Thing(null, "d"))));
        reported.add(bulk.inserts().get(0));
        reported.add(bulkOfClient(new Thing(null, "e")));

        assertThat(reported).isEqualTo(stored()).doesNotContainNull().doesNotHaveDuplicates();
    }

    @Test
    void recordsWithoutAnIdAreStoredWithTheIdThatIsReported() {
        var notes = collection(Note.class);
        var reported = new ArrayList<BsonValue>();
        reported.add(notes.insertOne(new Note(null, "a")).insertedId());
        reported.addAll(notes.insertMany(List.of(new Note(null, "b"), new Note(null, "c")))
                .insertedIds()
                .values());
        reported.add(bulkOfClient(new Note(null, "d")));

        assertThat(reported).isEqualTo(stored()).hasSize(4).doesNotContainNull();
        assertThat(notes.find(new Document("text", "c")).first())
                .isEqualTo(new Note(reported.get(2).asObjectId().getValue(), "c"));
    }

    @Test
    void idsOfAllTypesAreReported() {
        var documents = collection(BsonDocument.class);
        for (String id : List.of(
                "1",
                "'x'",
                "{a: {b: [1]}}",
                "null",
                "{$numberDecimal: '1.5'}",
                "{$uuid: '" + "01234567-89ab-cdef-0123-456789abcdef'}")) {
            BsonDocument document = BsonDocument.parse("{x: {_id: 0}, _id: " + id + "}");
            assertThat(documents.insertOne(document).insertedId()).isEqualTo(document.get("_id"));
        }
        assertThat(documents
                        .insertMany(List.of(BsonDocument.parse("{_id: {$maxKey: 1}}")))
                        .insertedIds())
                .isEqualTo(Map.of(0, new org.bson.BsonMaxKey()));
        assertThat(documents.countDocuments(new Document("_id", BsonNull.VALUE)))
                .isEqualTo(1);
    }

    private static @Nullable BsonValue bulkOfClient(Object document) {
        var result = client.bulkWrite(
                List.of(ClientNamespacedWriteModel.insertOne(new MongoNamespace("db.c"), document)),
                new ClientBulkWriteOptions().verboseResults(true));
        var inserts = result.getVerboseResults().orElseThrow().getInsertResults();
        return Objects.requireNonNull(inserts.get(0)).getInsertedId().orElse(null);
    }

    /** Otherwise a document without an id would be two, if the first attempt had been applied elsewhere. */
    @Test
    void aRetrySendsTheSameId() throws IOException {
        try (var scripted = RecordingServer.primary()) {
            scripted.answer((command, count) -> count == 0 ? null : "{ok: 1, n: 1}");
            try (var retrying = MongoClients.create(scripted.uri())) {
                var inserted = retrying.getDatabase("db")
                        .getCollection("c", Note.class)
                        .insertOne(new Note(null, "a"));

                var sent = scripted.commands("insert").stream()
                        .map(each ->
                                each.getArray("documents").get(0).asDocument().get("_id"))
                        .toList();
                assertThat(sent).isEqualTo(Collections.nCopies(2, inserted.insertedId()));
            }
        }
    }

    /** Otherwise a large bulk write would have to fit into memory, encoded, beside what is to be written. */
    @Test
    void documentsAreEncodedWhenTheirCommandIsSent() throws IOException {
        var encoded = new ArrayList<Integer>();
        var whenSent = new ArrayList<List<Integer>>();
        try (var scripted = RecordingServer.primary()) {
            scripted.greet(RecordingServer.member(scripted, "isWritablePrimary: true, maxWriteBatchSize: 2", scripted)
                    .replace("maxWriteBatchSize: 100000, ", ""));
            scripted.answer((command, count) -> {
                whenSent.add(List.copyOf(encoded));
                return "{ok: 1, n: 2}";
            });
            try (var counting = MongoClients.create(MongoClientSettings.builder()
                    .applyConnectionString(new ConnectionString(scripted.uri()))
                    .codecRegistry(CodecRegistries.fromCodecs(new RecordingCodec(encoded)))
                    .build())) {
                counting.getDatabase("db").getCollection("c", Integer.class).insertMany(List.of(0, 1, 2, 3));
            }
        }
        assertThat(whenSent.subList(0, 2)).containsExactly(List.of(0, 1), List.of(0, 1, 2, 3));
    }

    /** What was done before stays known to the application, which may have to clean up. */
    @Test
    void aDocumentThatCannotBeEncodedReportsWhatWasDoneBefore() throws IOException {
        try (var scripted = RecordingServer.primary()) {
            scripted.greet(RecordingServer.member(scripted, "isWritablePrimary: true, maxWriteBatchSize: 1", scripted)
                    .replace("maxWriteBatchSize: 100000, ", ""));
            scripted.answer((command, count) -> "{ok: 1, n: 1}");
            try (var counting = MongoClients.create(MongoClientSettings.builder()
                    .applyConnectionString(new ConnectionString(scripted.uri()))
                    .codecRegistry(CodecRegistries.fromCodecs(new RecordingCodec(new ArrayList<>())))
                    .build())) {
                var numbers = counting.getDatabase("db").getCollection("c", Integer.class);

                assertThatThrownBy(() -> numbers.insertMany(List.of(0, -1)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .satisfies(e -> assertThat(MongoBulkWriteException.partialResult(e)
                                        .orElseThrow()
                                        .inserts())
                                .isEqualTo(Map.of(0, new BsonInt32(0))));
            }
        }
    }

    /** A number as {@code {_id: number}}; negative ones have no such form. */
    private record RecordingCodec(List<Integer> encoded) implements org.bson.codecs.Codec<Integer> {
        @Override
        public void encode(BsonWriter writer, Integer value, EncoderContext context) {
            if (value < 0) {
                throw new IllegalArgumentException("negative");
            }
            encoded.add(value);
            writer.writeStartDocument();
            writer.writeInt32("_id", value);
            writer.writeEndDocument();
        }

        @Override
        public Integer decode(BsonReader reader, DecoderContext context) {
            throw new UnsupportedOperationException("only stored here");
        }

        @Override
        public Class<Integer> getEncoderClass() {
            return Integer.class;
        }
    }
}

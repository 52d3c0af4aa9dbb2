package dev.semel.server;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.ChangeStreamPreAndPostImagesOptions;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Field;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.RenameCollectionOptions;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.FullDocument;
import com.mongodb.client.model.changestream.FullDocumentBeforeChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Change streams as the official driver has them. */
class ChangeStreamTest {
    private Server server;
    private MongoClient client;
    private MongoDatabase database;
    private MongoCollection<Document> collection;

    @BeforeEach
    void start() throws IOException {
        start(ServerOptions.memory());
    }

    private void start(ServerOptions options) throws IOException {
        server = Server.start(options);
        client = MongoClients.create(server.connectionString());
        database = client.getDatabase("db");
        collection = database.getCollection("c");
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private static MongoChangeStreamCursor<ChangeStreamDocument<Document>> open(ChangeStreamIterable<Document> stream) {
        return stream.maxAwaitTime(100, TimeUnit.MILLISECONDS).cursor();
    }

    private static List<ChangeStreamDocument<Document>> take(
            int count, MongoChangeStreamCursor<ChangeStreamDocument<Document>> events) {
        List<ChangeStreamDocument<Document>> taken = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (taken.size() < count && System.nanoTime() < deadline) {
            ChangeStreamDocument<Document> next = events.tryNext();
            if (next != null) {
                taken.add(next);
            }
        }
        assertThat(taken).hasSize(count);
        return taken;
    }

    private static List<String> kinds(List<ChangeStreamDocument<Document>> events) {
        return events.stream().map(ChangeStreamDocument::getOperationTypeString).toList();
    }

    @Test
    void everyChangeOfACollectionIsShownInOrder() {
        try (var events = open(collection.watch())) {
            collection.insertOne(new Document("_id", 1).append("a", 1));
            collection.updateOne(eq("_id", 1), set("b.c", 2));
            collection.replaceOne(eq("_id", 1), new Document("z", 1));
            collection.deleteOne(eq("_id", 1));
            database.getCollection("other").insertOne(new Document());
            collection.renameCollection(new MongoNamespace("db.d"));
            var taken = take(6, events);
            assertThat(kinds(taken)).containsExactly("insert", "update", "replace", "delete", "rename", "invalidate");
            assertThat(taken.get(0).getFullDocument()).isEqualTo(new Document("_id", 1).append("a", 1));
            assertThat(requireNonNull(taken.get(1).getUpdateDescription()).getUpdatedFields())
                    .isEqualTo(BsonDocument.parse("{b: {c: 2}}"));
            assertThat(taken.get(1).getDocumentKey()).isEqualTo(BsonDocument.parse("{_id: 1}"));
            assertThat(taken.get(2).getFullDocument()).isEqualTo(new Document("_id", 1).append("z", 1));
            assertThat(taken.get(4).getDestinationNamespace()).hasToString("db.d");
        }
    }

    @Test
    void aDatabaseAndAClusterShowAllTheirCollections() {
        try (var ofDatabase = open(database.watch());
                var ofCluster = open(client.watch())) {
            collection.insertOne(new Document("_id", 1));
            database.getCollection("d").insertOne(new Document("_id", 2));
            client.getDatabase("e").getCollection("f").insertOne(new Document("_id", 3));
            collection.drop();
            database.drop();
            assertThat(kinds(take(6, ofDatabase)))
                    .containsExactly("insert", "insert", "drop", "drop", "dropDatabase", "invalidate");
            var all = take(6, ofCluster);
            assertThat(kinds(all)).containsExactly("insert", "insert", "insert", "drop", "drop", "dropDatabase");
            assertThat(all)
                    .element(2)
                    .extracting(each -> requireNonNull(each.getNamespace()).toString())
                    .isEqualTo("e.f");
        }
    }

    @Test
    void aStreamGoesOnAfterItsCursorWasKilled() {
        try (var events = open(collection.watch())) {
            collection.insertOne(new Document("_id", 1));
            take(1, events);
            long cursor = requireNonNull(events.getServerCursor()).getId();
            database.runCommand(new Document("killCursors", "c").append("cursors", List.of(cursor)));
            collection.insertOne(new Document("_id", 2));
            assertThat(take(1, events).getFirst().getFullDocument()).containsEntry("_id", 2);
        }
    }

    @Test
    void aStreamGoesOnAfterAnErrorThatMayPass() {
        try (var events = open(collection.watch())) {
            client.getDatabase("admin")
                    .runCommand(Document.parse("{configureFailPoint: 'failGetMoreAfterCursorCheckout',"
                            + " mode: {times: 1}, data: {errorCode: 6}}"));
            collection.insertOne(new Document("_id", 1));
            assertThat(requireNonNull(take(1, events).getFirst().getFullDocument()))
                    .containsEntry("_id", 1);
        }
    }

    @Test
    void aStreamGoesOnAfterTheServerWasRestarted(@TempDir Path folder) throws IOException {
        stop();
        start(ServerOptions.directory(folder));
        BsonDocument token;
        BsonDocument idle;
        try (var events = open(collection.watch())) {
            collection.insertMany(List.of(new Document("_id", 1), new Document("_id", 2), new Document("_id", 3)));
            token = take(2, events).get(1).getResumeToken();
            take(1, events);
            assertThat(events.tryNext()).isNull();
            idle = events.getResumeToken();
        }
        collection.insertOne(new Document("_id", 4));
        stop();
        start(ServerOptions.directory(folder));
        collection.insertOne(new Document("_id", 5));
        try (var events = open(collection.watch().resumeAfter(token));
                var later = open(collection.watch().startAfter(idle))) {
            assertThat(take(3, events))
                    .extracting(each -> requireNonNull(each.getFullDocument()).get("_id"))
                    .containsExactly(3, 4, 5);
            assertThat(take(2, later))
                    .extracting(each -> requireNonNull(each.getFullDocument()).get("_id"))
                    .containsExactly(4, 5);
        }
    }

    @Test
    void aStreamBeginsAtAnOperationTime() {
        collection.insertOne(new Document("_id", 1));
        var time = database.runCommand(new Document("insert", "c").append("documents", List.of(new Document("_id", 2))))
                .get("operationTime", org.bson.BsonTimestamp.class);
        collection.insertOne(new Document("_id", 3));
        try (var events = open(collection.watch().startAtOperationTime(time))) {
            assertThat(take(2, events))
                    .extracting(each -> requireNonNull(each.getFullDocument()).get("_id"))
                    .containsExactly(2, 3);
        }
    }

    @Test
    void anIdleStreamGetsAChangeWithoutPolling() throws Exception {
        try (var events = collection.watch().maxAwaitTime(20, TimeUnit.SECONDS).cursor()) {
            Thread writer = Thread.ofVirtual().start(() -> collection.insertOne(new Document("_id", 1)));
            assertThat(events.next().getFullDocument()).containsEntry("_id", 1);
            writer.join();
        }
    }

    @Test
    void aTransactionIsShownWholeAndOnlyOnceCommitted() {
        collection.insertOne(new Document("_id", 0).append("n", 0));
        try (var events = open(collection.watch());
                ClientSession session = client.startSession()) {
            session.startTransaction();
            collection.insertOne(session, new Document("_id", 1));
            session.abortTransaction();
            session.startTransaction();
            collection.insertOne(session, new Document("_id", 2));
            collection.updateOne(session, eq("_id", 0), inc("n", 1));
            collection.insertOne(new Document("_id", 3));
            assertThat(take(1, events).getFirst().getFullDocument()).containsEntry("_id", 3);
            assertThat(events.tryNext()).isNull();
            session.commitTransaction();
            var taken = take(2, events);
            assertThat(kinds(taken)).containsExactly("insert", "update");
            assertThat(taken).allSatisfy(each -> {
                assertThat(requireNonNull(each.getTxnNumber()).longValue()).isEqualTo(2);
                assertThat(requireNonNull(each.getLsid()).get("id"))
                        .isEqualTo(session.getServerSession().getIdentifier().get("id"));
            });
            assertThat(taken.get(0).getClusterTime()).isEqualTo(taken.get(1).getClusterTime());
            collection.insertOne(new Document("_id", 4));
            assertThat(take(1, events).getFirst().getTxnNumber()).isNull();
        }
    }

    @Test
    void aStreamCannotBeOpenedInsideATransaction() {
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            assertThatThrownBy(() -> collection.watch(session).cursor())
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(263));
        }
    }

    @Test
    void documentsAreShownAsTheyWereBeforeAndAfter() {
        database.createCollection(
                "images",
                new CreateCollectionOptions()
                        .changeStreamPreAndPostImagesOptions(new ChangeStreamPreAndPostImagesOptions(true)));
        MongoCollection<Document> images = database.getCollection("images");
        try (var events = open(images.watch()
                .fullDocument(FullDocument.REQUIRED)
                .fullDocumentBeforeChange(FullDocumentBeforeChange.REQUIRED))) {
            images.insertOne(new Document("_id", 1).append("a", List.of(1, 2)));
            images.updateOne(eq("_id", 1), new Document("$push", new Document("a", 3)));
            images.updateOne(eq("_id", 1), set("b", 1));
            images.replaceOne(eq("_id", 1), new Document("c", 1));
            images.deleteMany(new Document());
            var taken = take(5, events);
            assertThat(taken.get(1).getFullDocument()).isEqualTo(Document.parse("{_id: 1, a: [1, 2, 3]}"));
            assertThat(taken.get(1).getFullDocumentBeforeChange()).isEqualTo(Document.parse("{_id: 1, a: [1, 2]}"));
            assertThat(taken.get(2).getFullDocument()).isEqualTo(Document.parse("{_id: 1, a: [1, 2, 3], b: 1}"));
            assertThat(taken.get(3).getFullDocumentBeforeChange())
                    .isEqualTo(Document.parse("{_id: 1, a: [1, 2, 3], b: 1}"));
            assertThat(taken.get(4).getFullDocumentBeforeChange()).isEqualTo(Document.parse("{_id: 1, c: 1}"));
        }
    }

    @Test
    void withoutKeptImagesARequiredOneFails() {
        collection.insertOne(new Document("_id", 1));
        try (var required = open(collection.watch().fullDocumentBeforeChange(FullDocumentBeforeChange.REQUIRED));
                var available = open(collection
                        .watch()
                        .fullDocument(FullDocument.WHEN_AVAILABLE)
                        .fullDocumentBeforeChange(FullDocumentBeforeChange.WHEN_AVAILABLE));
                var lookedUp = open(collection.watch().fullDocument(FullDocument.UPDATE_LOOKUP))) {
            collection.updateOne(eq("_id", 1), set("a", 1));
            collection.updateOne(eq("_id", 1), set("a", 2));
            assertThatThrownBy(() -> take(1, required))
                    .isInstanceOfSatisfying(
                            MongoCommandException.class,
                            e -> assertThat(e.getErrorCode()).isEqualTo(47));
            assertThat(take(1, available).getFirst().getFullDocument()).isNull();
            assertThat(take(1, lookedUp).getFirst().getFullDocument()).containsEntry("a", 2);
        }
    }

    @Test
    void changesOfTheCatalogAreShownOnRequest() {
        try (var events = open(database.watch().showExpandedEvents(true))) {
            database.createCollection("c");
            collection.createIndex(new Document("a", 1));
            database.runCommand(Document.parse("{collMod: 'c', index: {keyPattern: {a: 1}, hidden: true}}"));
            collection.dropIndex("a_1");
            database.createCollection("d");
            collection.renameCollection(new MongoNamespace("db.d"), new RenameCollectionOptions().dropTarget(true));
            var taken = take(6, events);
            assertThat(kinds(taken))
                    .containsExactly("create", "createIndexes", "modify", "dropIndexes", "create", "rename");
            assertThat(requireNonNull(taken.get(1).getExtraElements()).getDocument("operationDescription"))
                    .isEqualTo(BsonDocument.parse("{indexes: [{v: 2, key: {a: 1}, name: 'a_1'}]}"));
            assertThat(requireNonNull(taken.get(5).getExtraElements()).getDocument("operationDescription"))
                    .containsKey("dropTarget");
        }
    }

    @Test
    void aPipelineChoosesAndShapesEvents() {
        try (var events = open(collection.watch(List.of(
                Aggregates.match(Filters.and(eq("operationType", "update"), eq("documentKey._id", 1))),
                Aggregates.set(new Field<>("extra", 1)))))) {
            collection.insertMany(List.of(new Document("_id", 0), new Document("_id", 1)));
            collection.updateMany(new Document(), set("a", 1));
            var taken = take(1, events).getFirst();
            assertThat(taken.getDocumentKey()).isEqualTo(BsonDocument.parse("{_id: 1}"));
            assertThat(taken.getExtraElements()).isEqualTo(BsonDocument.parse("{extra: 1}"));
            assertThat(events.tryNext()).isNull();
        }
        assertThatThrownBy(() -> collection.watch(List.of(Aggregates.limit(1))).cursor())
                .isInstanceOf(MongoCommandException.class)
                .hasMessageContaining("$limit is not permitted in a $changeStream pipeline");
    }

    @Test
    void aStreamWhoseTokensAreChangedFails() {
        try (var events = collection
                .watch(List.of(Aggregates.project(new Document("_id", 0))))
                .maxAwaitTime(100, TimeUnit.MILLISECONDS)
                .cursor()) {
            collection.insertOne(new Document());
            assertThatThrownBy(events::next).hasMessageContaining("_id");
        }
    }

    @Test
    void anEventThatIsTooLargeIsSplit() {
        database.createCollection(
                "big",
                new CreateCollectionOptions()
                        .changeStreamPreAndPostImagesOptions(new ChangeStreamPreAndPostImagesOptions(true)));
        MongoCollection<Document> big = database.getCollection("big");
        var split = List.of(new Document("$changeStreamSplitLargeEvent", new Document()));
        char[] filling = new char[10 << 20];
        Arrays.fill(filling, 'x');
        try (var events = open(big.watch(split)
                        .fullDocument(FullDocument.REQUIRED)
                        .fullDocumentBeforeChange(FullDocumentBeforeChange.REQUIRED));
                var unsplit = open(big.watch()
                        .fullDocument(FullDocument.REQUIRED)
                        .fullDocumentBeforeChange(FullDocumentBeforeChange.REQUIRED))) {
            big.insertOne(new Document("_id", 1).append("text", new String(filling)));
            big.updateOne(eq("_id", 1), set("a", 1));
            big.insertOne(new Document("_id", 2));
            take(1, events);
            var first = take(1, events).getFirst();
            assertThat(requireNonNull(first.getSplitEvent()).getFragment()).isEqualTo(1);
            assertThat(requireNonNull(first.getSplitEvent()).getOf()).isEqualTo(2);
            assertThat(status("temporaryFiles").get("runs", Number.class).intValue())
                    .as("parts that wait in files")
                    .isEqualTo(2);
            assertThat(status("memoryAccount")
                            .get("parts", Document.class)
                            .get("largeValues", Document.class)
                            .get("peak", Number.class)
                            .longValue())
                    .as("the event, and what it is made of")
                    .isGreaterThanOrEqualTo(4L * filling.length);
            try (var resumed = open(big.watch(split)
                    .fullDocument(FullDocument.REQUIRED)
                    .fullDocumentBeforeChange(FullDocumentBeforeChange.REQUIRED)
                    .resumeAfter(first.getResumeToken()))) {
                var rest = take(2, resumed);
                assertThat(requireNonNull(rest.get(0).getSplitEvent()).getFragment())
                        .isEqualTo(2);
                assertThat(rest.get(1).getDocumentKey()).isEqualTo(BsonDocument.parse("{_id: 2}"));
            }
            assertThat(take(2, events))
                    .last()
                    .extracting(ChangeStreamDocument::getSplitEvent)
                    .isNull();
            assertThatThrownBy(() -> take(2, unsplit)).hasMessageContaining("BSONObj size");
        }
    }

    private Document status(String section) {
        return client.getDatabase("admin")
                .runCommand(new Document("serverStatus", 1))
                .get(section, Document.class);
    }

    @Test
    void theChangesOfALargeEntryAreShownInOrderByAnyBatches() {
        String filling = "x".repeat(1_000);
        List<Document> documents = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            documents.add(new Document("_id", i).append("text", filling));
        }
        try (var events = open(collection.watch().batchSize(7))) {
            collection.insertMany(documents);
            collection.insertOne(new Document("_id", 200));

            assertThat(take(201, events))
                    .extracting(each -> requireNonNull(each.getDocumentKey())
                            .getInt32("_id")
                            .getValue())
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(0, 200).boxed().toList());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTokenFromBeforeTheOldestEntryIsLost(boolean onDisk, @TempDir Path folder) throws IOException {
        if (onDisk) {
            stop();
            start(ServerOptions.directory(folder));
        }
        BsonDocument token = tokenOfWhatGoes();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        boolean isLost = false;
        while (!isLost && System.nanoTime() < deadline) {
            isLost = !isResumable(token);
        }
        requireLost(token);
    }

    @Test
    void whatHasBeenRemovedFromTheLogStaysRemoved(@TempDir Path folder) throws IOException {
        stop();
        start(ServerOptions.directory(folder));
        BsonDocument token = tokenOfWhatGoes();
        MongoCollection<Document> oplog = client.getDatabase("local").getCollection("oplog.rs");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (oplog.find(eq("o._id", 1)).first() != null && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        setOplogSize(100);
        Document oldest = oplog.find().first();
        stop();
        start(ServerOptions.directory(folder));
        oplog = client.getDatabase("local").getCollection("oplog.rs");
        assertThat(requireNonNull(oplog.find().first()).get("ts"))
                .isEqualTo(requireNonNull(oldest).get("ts"));
        assertThat(oplog.find(eq("o._id", 1)).first()).isNull();
        requireLost(token);
    }

    private void setOplogSize(int megabytes) {
        client.getDatabase("admin").runCommand(new Document("setParameter", 1).append("oplogSizeMB", megabytes));
    }

    /** The token of the insert of 1, and a log that is too large to keep it. */
    private BsonDocument tokenOfWhatGoes() {
        BsonDocument token;
        try (var events = open(collection.watch())) {
            collection.insertOne(new Document("_id", 1));
            token = take(1, events).getFirst().getResumeToken();
        }
        setOplogSize(1);
        byte[] filling = new byte[1 << 20];
        new Random(1).nextBytes(filling);
        for (int i = 2; i < 7; i++) {
            collection.insertOne(new Document("_id", i).append("data", filling));
        }
        return token;
    }

    private void requireLost(BsonDocument token) {
        assertThatThrownBy(() -> open(collection.watch().resumeAfter(token)))
                .isInstanceOfSatisfying(
                        MongoCommandException.class,
                        e -> assertThat(e.getErrorCode()).isEqualTo(286));
    }

    private boolean isResumable(BsonDocument token) {
        try (var events = open(collection.watch().resumeAfter(token))) {
            take(5, events);
            return events.tryNext() == null;
        } catch (MongoCommandException e) {
            return false;
        }
    }
}

package dev.semel.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoWriteException;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.UpdateDescription;
import dev.semel.golden.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who follows a change stream and applies what it tells has the collection. */
class FollowingTest {
    private static final int WRITES = 300;
    private static final List<String> UPDATES = List.of(
            "{$set: {'a.b.%d': %d}}",
            "{$set: {'list.%d': %d}}",
            "{$inc: {'a.n%d': %d}}",
            "{$push: {list: {$each: [{x: %d}, [%d, 2]]}}}",
            "{$pop: {list: 1}}",
            "{$pull: {list: {x: %d}}}",
            "{$unset: {'a.b': 1, 'list.%d': 1}}",
            "{$unset: {a: 1}}",
            "{$set: {'list.$[].x': %d}}",
            "{$rename: {a: 'z%d'}}");
    private static final List<String> PIPELINES = List.of(
            "[{$set: {list: {$slice: ['$list', %d]}}}]",
            "[{$replaceWith: {$mergeObjects: ['$$ROOT', {m: {d: %d}}]}}]",
            "[{$unset: 'list'}, {$set: {list: [1, {x: 1, y: [1, 2]}, 3, {'0': %d}]}}]");

    @Test
    void aCopyEqualsTheCollection() throws Exception {
        try (Server server = Server.start(ServerOptions.memory());
                MongoClient client = MongoClients.create(server.connectionString())) {
            Seeds.check(5, random -> follow(client, random));
        }
    }

    private static void follow(MongoClient client, Random random) {
        MongoCollection<Document> written = client.getDatabase("db").getCollection("c" + random.nextInt(1 << 30));
        MongoCollection<BsonDocument> read = written.withDocumentClass(BsonDocument.class);
        ChangeStreamIterable<BsonDocument> stream =
                read.watch().showExpandedEvents(true).maxAwaitTime(50, TimeUnit.MILLISECONDS);
        Map<BsonValue, BsonDocument> copy = new HashMap<>();
        MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> events = stream.cursor();
        try (ClientSession session = client.startSession()) {
            for (int i = 0; i < WRITES; i++) {
                write(written, session, random);
                if (random.nextInt(40) == 0) {
                    catchUp(events, copy);
                    // From anywhere, on any cursor.
                    BsonDocument token = events.getResumeToken();
                    events.close();
                    events = stream.resumeAfter(token).cursor();
                }
            }
            written.insertOne(new Document("_id", "end"));
            while (!copy.containsKey(new BsonString("end"))) {
                catchUp(events, copy);
            }
        } finally {
            events.close();
        }
        Map<BsonValue, BsonDocument> expected = new HashMap<>();
        read.find().forEach(each -> expected.put(each.get("_id"), each));
        assertThat(copy).isEqualTo(expected);
    }

    private static void write(MongoCollection<Document> collection, ClientSession session, Random random) {
        if (random.nextInt(8) > 0) {
            statement(collection, null, random);
            return;
        }
        session.startTransaction();
        for (int i = random.nextInt(5); i >= 0; i--) {
            statement(collection, session, random);
        }
        if (random.nextBoolean()) {
            session.commitTransaction();
        } else {
            session.abortTransaction();
        }
    }

    /** One that may fail, as an index into something that is no array does; inside a transaction only one that cannot. */
    private static void statement(
            MongoCollection<Document> collection, @Nullable ClientSession session, Random random) {
        Document one = new Document("_id", random.nextInt(10));
        int kind = random.nextInt(10);
        if (session != null) {
            if (kind < 5) {
                collection.deleteOne(session, one);
                collection.insertOne(session, new Document(one).append("list", List.of(1, new Document("x", 1))));
            } else {
                collection.updateMany(session, new Document(), Document.parse("{$set: {m: {d: %d}}}".formatted(kind)));
            }
            return;
        }
        try {
            switch (kind) {
                case 0 -> collection.deleteOne(one);
                case 1 ->
                    collection.replaceOne(
                            one,
                            Document.parse("{list: [1, {x: 2}, [3]], a: {n1: 1}}"),
                            new ReplaceOptions().upsert(true));
                case 2 -> collection.insertOne(one.append("list", new ArrayList<>(List.of(1, 2, 3))));
                case 3 -> {
                    String pipeline =
                            PIPELINES.get(random.nextInt(PIPELINES.size())).formatted(1 + random.nextInt(3));
                    collection.updateOne(
                            one, Document.parse("{p: " + pipeline + "}").getList("p", Document.class));
                }
                case 4 -> collection.updateMany(new Document(), update(random));
                default -> collection.updateOne(one, update(random));
            }
        } catch (MongoWriteException e) {
            assertThat(e.getError().getMessage()).isNotEmpty();
        }
    }

    private static Document update(Random random) {
        return Document.parse(
                UPDATES.get(random.nextInt(UPDATES.size())).formatted(random.nextInt(4), random.nextInt(4)));
    }

    // ---- the copy

    private static void catchUp(
            MongoChangeStreamCursor<ChangeStreamDocument<BsonDocument>> events, Map<BsonValue, BsonDocument> copy) {
        for (var event = events.tryNext(); event != null; event = events.tryNext()) {
            BsonDocument key = event.getDocumentKey();
            if (key == null) {
                continue;
            }
            BsonValue id = key.get("_id");
            switch (requireNonNull(event.getOperationType())) {
                case INSERT, REPLACE -> copy.put(id, event.getFullDocument());
                case DELETE -> copy.remove(id);
                default -> apply(event, copy.get(id));
            }
        }
    }

    private static void apply(ChangeStreamDocument<BsonDocument> event, @Nullable BsonDocument document) {
        UpdateDescription description = event.getUpdateDescription();
        assertThat(document).isNotNull();
        assertThat(description).isNotNull();
        if (document != null && description != null) {
            apply(description, document);
        }
    }

    private static void apply(UpdateDescription description, BsonDocument document) {
        BsonDocument paths = description.getDisambiguatedPaths();
        requireNonNull(description.getTruncatedArrays()).forEach(each -> {
            BsonArray array = (BsonArray) at(document, steps(each.getField(), paths));
            while (array.size() > each.getNewSize()) {
                array.removeLast();
            }
        });
        requireNonNull(description.getRemovedFields()).forEach(each -> {
            List<BsonValue> steps = steps(each, paths);
            ((BsonDocument) at(document, steps.subList(0, steps.size() - 1))).remove(name(steps.getLast()));
        });
        requireNonNull(description.getUpdatedFields()).forEach((path, value) -> {
            List<BsonValue> steps = steps(path, paths);
            BsonValue parent = at(document, steps.subList(0, steps.size() - 1));
            if (parent instanceof BsonArray array) {
                int index = index(steps.getLast());
                while (array.size() <= index) {
                    array.add(BsonNull.VALUE);
                }
                array.set(index, value);
            } else {
                ((BsonDocument) parent).put(name(steps.getLast()), value);
            }
        });
    }

    private static List<BsonValue> steps(String path, @Nullable BsonDocument disambiguated) {
        if (disambiguated != null && disambiguated.containsKey(path)) {
            return disambiguated.getArray(path).getValues();
        }
        return List.of(path.split("\\.", -1)).stream()
                .map(each -> (BsonValue) new BsonString(each))
                .toList();
    }

    private static BsonValue at(BsonDocument document, List<BsonValue> steps) {
        BsonValue at = document;
        for (BsonValue step : steps) {
            at = at instanceof BsonArray array
                    ? array.get(index(step))
                    : requireNonNull(((BsonDocument) at).get(name(step)));
        }
        return at;
    }

    private static String name(BsonValue step) {
        return step.asString().getValue();
    }

    private static int index(BsonValue step) {
        return step instanceof BsonInt32 number ? number.getValue() : Integer.parseInt(name(step));
    }
}

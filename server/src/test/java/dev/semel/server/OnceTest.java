package dev.semel.server;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOptions;
import dev.semel.server.statement.Unquoted;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands with a token: from several connections at once, cut short, after a restart, from drivers. */
class OnceTest {
    private static final String INCREMENT =
            "{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {n: 1}}}], comment: {once: 't'}}";

    private static RawDocument command(String text) {
        return new BsonWriter()
                .copyAll(Unquoted.document(text))
                .put("$db", "test")
                .finish();
    }

    private static RawDocument run(Server server, String text) {
        try (LocalConnection connection = server.connect()) {
            return connection.run(command(text));
        }
    }

    private static @Nullable Value document(Server server, int id) {
        return run(server, "{findAndModify: 'c', query: {_id: " + id + "}, update: {$unset: {none: 1}}}")
                .get("value");
    }

    private static Value.Doc doc(String text) {
        return new Value.Doc(Unquoted.document(text));
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static int waiting(Server server) {
        return run(server, "{serverStatus: 1}").get("globalLock") instanceof Value.Doc(RawDocument section)
                        && section.get("currentQueue") instanceof Value.Doc(RawDocument queue)
                        && queue.get("writers") instanceof Value.Int32(int writers)
                ? writers
                : 0;
    }

    @Test
    void manyArrivalsAtOnceAreOneCommand() throws Exception {
        try (Server server = Server.start(ServerOptions.memory());
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 1; round <= 50; round++) {
                String findAndModify =
                        "{findAndModify: 'c', query: {_id: 1}, update: {$inc: {n: 1}}, new: true, upsert: true,"
                                + " comment: {once: 'r" + round + "'}}";
                List<Future<@Nullable Value>> answers = clients.invokeAll(IntStream.range(0, 8)
                        .<Callable<@Nullable Value>>mapToObj(
                                i -> () -> run(server, findAndModify).get("value"))
                        .toList());
                for (Future<@Nullable Value> each : answers) {
                    assertThat(each.get()).isEqualTo(doc("{_id: 1, n: " + round + "}"));
                }
            }
        }
    }

    @Test
    void aDuplicateWaitsForTheCommandThatRunsAndForItsOwnTimeOnly() throws Exception {
        try (Server server = Server.start(ServerOptions.memory());
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
                LocalConnection holder = server.connect()) {
            run(server, "{insert: 'c', documents: [{_id: 1, n: 0}]}");
            holder.run(command("{beginTransaction: 1}"));
            holder.run(command("{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {n: 100}}}]}"));
            Future<RawDocument> first = clients.submit(() -> run(server, INCREMENT));
            await(() -> waiting(server) == 1);
            String hurried = INCREMENT.substring(0, INCREMENT.length() - 1) + ", maxTimeMS: 30}";
            assertThat(run(server, hurried).get("code")).isEqualTo(Value.of(50));
            Future<RawDocument> second = clients.submit(() -> run(server, INCREMENT));
            await(() -> waiting(server) == 2);
            holder.run(command("{rollbackTransaction: 1}"));
            assertThat(first.get().get("nModified")).isEqualTo(Value.of(1));
            assertThat(second.get().get("nModified")).isEqualTo(Value.of(1));
            assertThat(run(server, hurried).get("nModified")).isEqualTo(Value.of(1));
            assertThat(document(server, 1)).isEqualTo(doc("{_id: 1, n: 1}"));
        }
    }

    /** What it did is kept, and the next arrival does the rest: before and after a restart. */
    @Test
    void anUnorderedCommandThatWasCutShortIsCompletedAndAnswersAsAWhole(@TempDir Path folder) throws IOException {
        String updates = "{update: 'c', ordered: false, comment: {once: 't'}, updates: [{q: {_id: 1}, u: {$inc: {n:"
                + " 1}}}, {q: {_id: 9}, u: {$bad: 1}}, {q: {_id: {$lte: 2}}, u: {$inc: {n: 1}}, multi: true}, {q: {_id:"
                + " 3}, u: {$inc: {n: 1}}}]";
        try (Server server = Server.start(ServerOptions.directory(folder).inProcess());
                LocalConnection holder = server.connect();
                LocalConnection hurried = server.connect()) {
            run(server, "{insert: 'c', documents: [{_id: 1, n: 0}, {_id: 2, n: 0}, {_id: 3, n: 0}]}");
            holder.run(command("{beginTransaction: 1}"));
            holder.run(command("{update: 'c', updates: [{q: {_id: 3}, u: {$inc: {n: 100}}}]}"));
            hurried.run(command("{setClientLockTimeout: 1}"));
            assertThat(hurried.run(command(updates + "}")).get("n")).isEqualTo(Value.of(3));
            assertThat(document(server, 1)).isEqualTo(doc("{_id: 1, n: 2}"));
            RawDocument asked = run(server, "{writeOutcome: {once: 't'}}");
            assertThat(asked.get("outcome")).isEqualTo(Value.of("partlyApplied"));
            assertThat(asked.get("reply")).isInstanceOfSatisfying(Value.Doc.class, reply -> {
                assertThat(reply.document().get("n")).isEqualTo(Value.of(3));
                assertThat(reply.document().has("writeErrors")).isTrue();
            });
        }
        for (int start = 1; start <= 2; start++) {
            try (Server server = Server.start(ServerOptions.directory(folder).inProcess())) {
                RawDocument reply = run(server, updates + "}");
                assertThat(reply.get("n")).isEqualTo(Value.of(4));
                assertThat(reply.get("nModified")).isEqualTo(Value.of(4));
                assertThat(reply.get("writeErrors"))
                        .isInstanceOfSatisfying(
                                Value.Array.class,
                                errors -> assertThat(errors.elements().size()).isEqualTo(1));
                assertThat(document(server, 1)).isEqualTo(doc("{_id: 1, n: 2}"));
                assertThat(document(server, 2)).isEqualTo(doc("{_id: 2, n: 1}"));
                assertThat(document(server, 3)).isEqualTo(doc("{_id: 3, n: 1}"));
                assertThat(run(server, "{writeOutcome: {once: 't'}}").get("outcome"))
                        .isEqualTo(Value.of("applied"));
            }
        }
    }

    @Test
    void aLockThatWasNotToBeHadIsNoResult() throws IOException {
        try (Server server = Server.start(ServerOptions.memory());
                LocalConnection holder = server.connect();
                LocalConnection hurried = server.connect()) {
            run(server, "{insert: 'c', documents: [{_id: 1, n: 0}]}");
            holder.run(command("{beginTransaction: 1}"));
            holder.run(command("{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {n: 100}}}]}"));
            hurried.run(command("{setClientLockTimeout: 1}"));
            assertThat(hurried.run(command(INCREMENT)).get("n")).isEqualTo(Value.of(0));
            holder.run(command("{rollbackTransaction: 1}"));
            assertThat(hurried.run(command(INCREMENT)).get("n")).isEqualTo(Value.of(1));
            assertThat(hurried.run(command(INCREMENT)).get("n")).isEqualTo(Value.of(1));
            assertThat(document(server, 1)).isEqualTo(doc("{_id: 1, n: 1}"));
        }
    }

    @Test
    void outcomesAreCountedAgainAfterARestart(@TempDir Path folder) throws IOException {
        String insert = "{insert: 'c', documents: [{_id: 1}], comment: {once: 't', keepSeconds: 3600}}";
        long bytes;
        try (Server server = Server.start(ServerOptions.directory(folder).inProcess())) {
            assertThat(run(server, insert).get("n")).isEqualTo(Value.of(1));
            bytes = bytes(server);
            assertThat(bytes).isPositive();
        }
        try (Server server = Server.start(ServerOptions.directory(folder).inProcess())) {
            await(() -> bytes(server) == bytes);
            assertThat(run(server, insert).get("n")).isEqualTo(Value.of(1));
            assertThat(bytes(server)).isEqualTo(bytes);
        }
    }

    private static long bytes(Server server) {
        return run(server, "{serverStatus: 1}").get("semel") instanceof Value.Doc(RawDocument section)
                        && section.get("onceBytes") instanceof Value.Int64(long value)
                ? value
                : -1;
    }

    // ---- the official driver

    private static MongoClient client(Server server) {
        return MongoClients.create(server.connectionString());
    }

    private static BsonDocument once(String token) {
        return new BsonDocument("once", new BsonString(token));
    }

    @Test
    void aDriverSendsItsCallsAgainInOtherSessions() throws IOException {
        try (Server server = Server.start(ServerOptions.memory())) {
            for (int i = 0; i < 2; i++) {
                try (MongoClient client = client(server)) {
                    MongoCollection<Document> c = client.getDatabase("test").getCollection("c");
                    c.insertMany(
                            List.of(new Document("_id", 1).append("n", 0), new Document("_id", 2).append("n", 0)),
                            new InsertManyOptions().comment(once("insert")));
                    assertThat(c.updateOne(eq("_id", 1), inc("n", 1), new UpdateOptions().comment(once("one")))
                                    .getModifiedCount())
                            .isEqualTo(1);
                    assertThat(c.updateMany(new Document(), inc("n", 10), new UpdateOptions().comment(once("many")))
                                    .getModifiedCount())
                            .isEqualTo(2);
                    c.withWriteConcern(WriteConcern.UNACKNOWLEDGED)
                            .updateOne(eq("_id", 2), inc("n", 1), new UpdateOptions().comment(once("unacknowledged")));
                    await(() -> c.countDocuments(new Document("_id", 2).append("n", 11)) == 1);
                    assertThat(c.find(eq("_id", 1)).first()).containsEntry("n", 11);
                }
            }
        }
    }

    /** The second command of one call comes with the token of the first. */
    @Test
    void aCallThatADriverSplitsIsRefusedByName() throws IOException {
        try (Server server = Server.start(ServerOptions.memory());
                MongoClient client = client(server)) {
            MongoCollection<Document> c = client.getDatabase("test").getCollection("c");
            MongoCommandException refused = assertThrows(
                    MongoCommandException.class,
                    () -> c.bulkWrite(
                            List.of(
                                    new InsertOneModel<>(new Document("_id", 1)),
                                    new UpdateManyModel<>(new Document(), inc("n", 1))),
                            new BulkWriteOptions().comment(once("both"))));
            assertThat(refused.getErrorCode()).isEqualTo(40606);
            assertThat(refused.getErrorMessage()).contains("'both'").contains("splits");
        }
    }

    @Test
    void writeErrorsComeAgain() throws IOException {
        try (Server server = Server.start(ServerOptions.memory());
                MongoClient client = client(server)) {
            MongoCollection<Document> c = client.getDatabase("test").getCollection("c");
            c.insertOne(new Document("_id", 1));
            for (int i = 0; i < 2; i++) {
                MongoBulkWriteException failed = assertThrows(
                        MongoBulkWriteException.class,
                        () -> c.insertMany(
                                List.of(new Document("_id", 2), new Document("_id", 1)),
                                new InsertManyOptions().ordered(false).comment(once("t"))));
                assertThat(failed.getWriteResult().getInsertedCount()).isEqualTo(1);
                assertThat(failed.getWriteErrors()).hasSize(1);
                c.deleteMany(new Document());
            }
            assertThat(c.countDocuments()).isZero();
        }
    }
}

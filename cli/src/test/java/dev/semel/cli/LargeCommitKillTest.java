package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A statement that is larger than its memory, and a server that is killed at several steps of it: all of it or nothing. */
@Timeout(180)
class LargeCommitKillTest {
    private static final int DOCUMENTS = 8_000;
    private static final int BATCH = 100_000;
    private static final long POLL_NANOS = 100_000;

    @TempDir
    private Path folder;

    /** How often it must have been done, and how often it may. */
    private int acknowledged;

    private int updates;

    /** Whether files of the commit have been seen. */
    private boolean wasStaged;

    @Test
    void isThereAsAWholeOrNotAtAll() throws Exception {
        try (var server = start();
                var client = connect(server.awaitReady())) {
            documents(client).createIndex(Indexes.ascending("n"));
            for (int from = 0; from < DOCUMENTS; from += 500) {
                var documents = new ArrayList<Document>();
                for (int i = from; i < from + 500; i++) {
                    documents.add(new Document("_id", i).append("n", 0));
                }
                documents(client).insertMany(documents);
            }
            // While it is being written.
            updateUntil(() -> isIn("_tmp", ""), server, client);
        }
        // When its files are, and when the commit takes them.
        List<BooleanSupplier> moments = List.of(() -> isIn("staged", "oplog"), this::isTakingIn);
        for (var moment : moments) {
            try (var server = start();
                    var client = connect(server.awaitReady())) {
                check(client);
                updateUntil(moment, server, client);
            }
        }
        try (var server = start();
                var client = connect(server.awaitReady())) {
            check(client);
        }
    }

    /** As many statements as a command may have, and their outcomes, whatever comes between the attempts. */
    @Test
    void aBatchThatIsSentAgainIsDoneOnce() throws Exception {
        try (var server = start();
                var client = new RawClient(server.awaitReady())) {
            assertThat(insert(client, 1)).isEqualTo(BATCH);
            server.kill();
        }
        try (var server = start();
                var client = new RawClient(server.awaitReady())) {
            assertThat(insert(client, 1)).isEqualTo(BATCH);
            sendBatch(client, 2);
            awaitOrGiveUp(() -> isIn("staged", "documents"));
            server.kill();
        }
        try (var server = start()) {
            var uri = server.awaitReady();
            try (var client = new RawClient(uri)) {
                assertThat(insert(client, 2)).isEqualTo(BATCH);
                assertThat(insert(client, 2)).isEqualTo(BATCH);
            }
            try (var client = connect(uri)) {
                assertThat(documents(client).countDocuments()).isEqualTo(2 * BATCH);
            }
        }
    }

    private static void sendBatch(RawClient client, int number) throws IOException {
        var documents = new ArrayList<RawDocument>();
        for (int i = 0; i < BATCH; i++) {
            documents.add(new BsonWriter()
                    .put("_id", BATCH * number + i)
                    .put("s", "x".repeat(20))
                    .finish());
        }
        var command = new BsonWriter().put("insert", "c").put("$db", "db").put("txnNumber", (long) number);
        command.startDocument("lsid")
                .put("id", new Value.Binary((byte) 4, new byte[16]))
                .end();
        client.send(command.finish(), "documents", documents);
    }

    private static int insert(RawClient client, int number) throws IOException {
        sendBatch(client, number);
        var reply = client.read();
        assertThat(reply.get("writeErrors")).as(reply.toString()).isNull();
        return reply.get("n") instanceof Value.Int32(int inserted) ? inserted : -1;
    }

    private static void awaitOrGiveUp(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private void updateUntil(BooleanSupplier moment, ServerProcess server, MongoClient client) throws Exception {
        try (var thread = Executors.newSingleThreadExecutor()) {
            var updated = thread.submit(() -> documents(client)
                    .updateMany(Filters.empty(), Updates.inc("n", 1))
                    .getModifiedCount());
            awaitOrGiveUp(() -> moment.getAsBoolean() || updated.isDone());
            server.kill();
            try {
                acknowledged += updated.get() == DOCUMENTS ? 1 : 0;
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(MongoException.class);
            }
            updates++;
        }
    }

    private void check(MongoClient client) {
        Set<Integer> values = new HashSet<>();
        int count = 0;
        for (var each : documents(client).find()) {
            values.add(each.getInteger("n"));
            count++;
        }
        assertThat(count).isEqualTo(DOCUMENTS);
        assertThat(values).hasSize(1);
        int now = values.iterator().next();
        assertThat(now).isBetween(acknowledged, updates);
        acknowledged = now;
        updates = now;
        assertThat(documents(client).countDocuments(Filters.eq("n", now))).isEqualTo(DOCUMENTS);
        var validation = client.getDatabase("db").runCommand(new Document("validate", "c").append("full", true));
        assertThat(validation.getBoolean("valid")).as(validation.toJson()).isTrue();
        assertThat(isIn("staged", "")).isFalse();
        assertThat(isIn("_tmp", "")).isFalse();
    }

    private boolean isTakingIn() {
        boolean isStaged = isIn("staged", "oplog");
        wasStaged |= isStaged;
        return wasStaged && !isStaged;
    }

    /** Whether there is a file with a name like that. */
    private boolean isIn(String name, String part) {
        Path in = folder.resolve("data").resolve(name);
        if (!Files.isDirectory(in)) {
            return false;
        }
        try (Stream<Path> files = Files.list(in)) {
            return files.anyMatch(each -> each.getFileName().toString().contains(part));
        } catch (IOException e) {
            return false;
        }
    }

    private ServerProcess start() throws Exception {
        return ServerProcess.start(
                folder,
                "--dbpath",
                folder.resolve("data").toString(),
                "--port",
                "0",
                "--setParameter",
                "transactionBytesMax=1048576");
    }

    private static MongoClient connect(String uri) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .retryWrites(false)
                .retryReads(false)
                .build());
    }

    private static MongoCollection<Document> documents(MongoClient client) {
        return client.getDatabase("db").getCollection("c");
    }
}

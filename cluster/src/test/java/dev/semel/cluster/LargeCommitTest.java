package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import dev.semel.server.LocalConnection;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Statements that write more than a transaction may have in the heap, in a set of three with its data on disk. */
@Timeout(180)
class LargeCommitTest {
    private static final int DOCUMENTS = 8_000;
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private Cluster cluster;
    private MongoClient client;
    private MongoCollection<Document> collection;

    @BeforeEach
    void start() throws IOException {
        cluster =
                Cluster.start(3, folder, true, options -> options.parameters(Map.of("transactionBytesMax", "1048576")));
        client = MongoClients.create(cluster.connectionString() + "&timeoutMS=60000");
        collection = client.getDatabase("test").getCollection("c");
        collection.createIndex(Indexes.ascending("n"));
        for (int from = 0; from < DOCUMENTS; from += 1_000) {
            collection.insertMany(IntStream.range(from, from + 1_000)
                    .mapToObj(i -> new Document("_id", i).append("n", 0).append("s", "x".repeat(60)))
                    .toList());
        }
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        cluster.close();
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(100_000);
        }
    }

    private Set<Value> hashes() {
        Set<Value> hashes = new HashSet<>();
        for (int i = 0; i < cluster.size(); i++) {
            try (LocalConnection connection =
                    Objects.requireNonNull(cluster.member(i)).connect()) {
                BsonWriter command = new BsonWriter().put("dbHash", 1).put("$db", "test");
                command.startDocument("$readPreference").put("mode", "nearest").end();
                hashes.add(
                        Objects.requireNonNull(connection.run(command.finish()).get("md5")));
            }
        }
        return hashes;
    }

    /** Documents, index and the sizes that members keep beside them. */
    private void assertAllHave(int n) {
        assertThat(collection.countDocuments(Filters.eq("n", n))).isEqualTo(DOCUMENTS);
        assertThat(collection
                        .find(Filters.eq("n", n))
                        .hint(Indexes.ascending("_id"))
                        .into(new ArrayList<>()))
                .hasSize(DOCUMENTS);
        assertThat(collection.estimatedDocumentCount()).isEqualTo(DOCUMENTS);
        Document validation = client.getDatabase("test").runCommand(new Document("validate", "c").append("full", true));
        assertThat(validation.getBoolean("valid")).as(validation.toJson()).isTrue();
        await(() -> hashes().size() == 1);
    }

    private long updateAll() {
        return collection.updateMany(Filters.empty(), Updates.inc("n", 1)).getModifiedCount();
    }

    /** Whether files of a commit are being prepared on a member. */
    private boolean isStaging(int member) {
        Path staged = folder.resolve("member" + member).resolve("data").resolve("staged");
        try (Stream<Path> files = Files.list(staged)) {
            return files.findAny().isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void reachesAllMembersWhileOthersWrite() throws Exception {
        MongoCollection<Document> others = client.getDatabase("test").getCollection("others");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Long> updated = threads.submit(this::updateAll);
            int count = 0;
            while (!updated.isDone()) {
                others.insertOne(new Document("_id", count++));
            }
            assertThat(updated.get()).isEqualTo(DOCUMENTS);
            assertThat(others.countDocuments()).isEqualTo(count);
        }
        assertAllHave(1);
        assertThat(collection.deleteMany(Filters.empty()).getDeletedCount()).isEqualTo(DOCUMENTS);
        await(() -> hashes().size() == 1);
        assertThat(collection.countDocuments()).isZero();
    }

    /** Before the commit: it is lost as a whole, and nothing of it hinders the next one. */
    @Test
    void isLostWithItsPrimaryOrDone() throws Exception {
        int expected = 0;
        for (int round = 0; round < 3; round++) {
            int primary = cluster.awaitPrimary(SOON);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<Long> updated = threads.submit(() -> {
                    try {
                        return updateAll();
                    } catch (MongoException e) {
                        return 0L;
                    }
                });
                await(() -> isStaging(primary) || updated.isDone());
                cluster.stop(primary);
                int next = cluster.awaitPrimary(SOON);
                assertThat(next).isNotEqualTo(primary);
                cluster.restart(primary);
                List<Integer> values = collection.distinct("n", Integer.class).into(new ArrayList<>());
                assertThat(values).hasSize(1);
                assertThat(values.getFirst()).isBetween(expected + (updated.get() == DOCUMENTS ? 1 : 0), expected + 1);
                expected = values.getFirst();
            }
            assertAllHave(expected);
        }
        assertThat(updateAll()).isEqualTo(DOCUMENTS);
        assertAllHave(expected + 1);
    }

    /** What it lacks of a large commit is in the log, or in a checkpoint. */
    @Test
    void reachesAMemberThatWasAway() throws Exception {
        int away = (cluster.awaitPrimary(SOON) + 1) % 3;
        cluster.stop(away);
        assertThat(updateAll()).isEqualTo(DOCUMENTS);
        cluster.restart(away);
        assertThat(updateAll()).isEqualTo(DOCUMENTS);
        await(() -> hashes().size() == 1);
        assertAllHave(2);
    }
}

package dev.semel.cluster;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The log between members is cut, and who needs what was cut gets a checkpoint. */
@Timeout(180)
class CheckpointTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** The official driver tries again until then, not only once: on a busy machine several elections may follow each other. */
    private static final String PATIENTLY = "&timeoutMS=60000";

    private static final int MB = 1 << 20;
    private static final int CLIENTS = 4;

    @TempDir
    private Path folder;

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static RawDocument run(Server server, BsonWriter command) {
        try (LocalConnection connection = server.connect()) {
            return connection.run(command.finish());
        }
    }

    /** A member may be opened again just now, since another checkpoint has arrived. */
    private static boolean haveEqualData(Cluster cluster) {
        Set<Value> hashes = new HashSet<>();
        for (int i = 0; i < cluster.size(); i++) {
            Server member = cluster.member(i);
            if (member == null) {
                return false;
            }
            Value hash = run(member, new BsonWriter().put("dbHash", 1).put("$db", "test"))
                    .get("md5");
            if (hash == null) {
                return false;
            }
            hashes.add(hash);
        }
        return hashes.size() == 1;
    }

    private static Value state(Server server) {
        return Objects.requireNonNull(
                run(server, new BsonWriter().put("replSetGetStatus", 1).put("$db", "admin"))
                        .get("myState"));
    }

    private List<Path> files(int member, String name) {
        Path log = folder.resolve("member" + member).resolve("log");
        try (Stream<Path> all = Files.walk(log)) {
            return all.filter(each -> each.getFileName().toString().startsWith(name))
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            // One of them has just been deleted.
            return files(member, name);
        }
    }

    private boolean isCut(int member) {
        List<Path> segments = files(member, "log_");
        return !segments.isEmpty()
                && segments.stream()
                        .noneMatch(each -> each.getFileName().toString().matches("log_(inprogress_)?0(-.*)?"));
    }

    private void wipe(int member) throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("member" + member))) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    /** While writes go on; and another one takes part again after it was stopped for a moment. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void memberThatLostItsDataGetsItFromTheOthers(boolean isDurable) throws Exception {
        Random random = new Random(1);
        byte[] filling = new byte[100_000];
        try (Cluster cluster = Cluster.start(
                        3, folder, isDurable, options -> options.parameters(Map.of("replicationLogSizeMB", "1")));
                MongoClient client = MongoClients.create(cluster.connectionString() + PATIENTLY);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            MongoCollection<Document> counters = client.getDatabase("test").getCollection("counters");
            counters.createIndex(new Document("n", 1));
            for (int i = 0; i < CLIENTS; i++) {
                counters.insertOne(new Document("_id", i).append("n", 0));
            }
            // More than comes in one message.
            for (int i = 0; i < 60; i++) {
                random.nextBytes(filling);
                counters.insertOne(new Document("_id", 100 + i).append("filling", new Binary(filling)));
            }
            AtomicBoolean ends = new AtomicBoolean();
            byte[] small = new byte[1_000];
            List<Future<Integer>> counts = IntStream.range(0, CLIENTS)
                    .mapToObj(id -> threads.submit(() -> {
                        int count = 0;
                        while (!ends.get()) {
                            counters.updateOne(eq(id), combine(inc("n", 1), set("filling", new Binary(small))));
                            count++;
                        }
                        return count;
                    }))
                    .toList();
            for (int i = 0; i < cluster.size(); i++) {
                int member = i;
                await(() -> isCut(member));
            }
            int primary = cluster.awaitPrimary(SOON);
            int wiped = (primary + 1) % 3;
            cluster.stop(wiped);
            wipe(wiped);
            cluster.restart(wiped);
            Server first = Objects.requireNonNull(cluster.running(wiped)).server();
            // Readers are not sent there before it has data.
            assertThat(state(first)).isEqualTo(Value.of(5));
            await(() -> cluster.member(wiped) != first);
            await(() -> state(Objects.requireNonNull(cluster.member(wiped))).equals(Value.of(2)));
            // The disk is bounded while writes go on: two checkpoints and some segments of log.
            for (int i = 0; i < cluster.size(); i++) {
                int member = i;
                await(() -> files(member, "checkpoint-").size() <= 2);
                await(() -> bytes(files(member, "log_")) < 4 * MB);
            }
            // Acknowledged by the member that was wiped too, so that what it applies is what the others do.
            ends.set(true);
            for (int i = 0; i < CLIENTS; i++) {
                int count = counts.get(i).get();
                assertThat(Objects.requireNonNull(counters.find(eq(i)).first()).getInteger("n"))
                        .isEqualTo(count);
            }
            await(() -> haveEqualData(cluster));
            // What came by a checkpoint is there after a restart as well.
            cluster.stop(wiped);
            counters.insertOne(new Document("_id", "last"));
            cluster.restart(wiped);
            await(() -> haveEqualData(cluster));
        }
    }

    private static long bytes(List<Path> files) {
        return files.stream().mapToLong(each -> each.toFile().length()).sum();
    }
}

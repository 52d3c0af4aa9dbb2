package dev.semel.cluster;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three members in one process, with the official driver as the client. */
@Timeout(180)
class ClusterTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** Without it the driver retries once, and a statement may meet the ends of two primaries. */
    private static final String RETRIES_UNTIL_TIMEOUT = "&timeoutMS=60000";

    private static MongoCollection<Document> counters(MongoClient client) {
        return client.getDatabase("test").getCollection("counters");
    }

    private static RawDocument run(Server server, BsonWriter command) {
        try (LocalConnection connection = server.connect()) {
            return connection.run(command.finish());
        }
    }

    private static BsonWriter dbHash() {
        return new BsonWriter()
                .put("dbHash", 1)
                .put("$db", "test")
                .startDocument("$readPreference")
                .put("mode", "nearest")
                .end();
    }

    /** Of the members that run, once they have applied the same. */
    private static Set<Value> hashes(Cluster cluster) {
        Set<Value> hashes = new HashSet<>();
        for (int i = 0; i < cluster.size(); i++) {
            Server member = cluster.member(i);
            if (member != null) {
                hashes.add(Objects.requireNonNull(run(member, dbHash()).get("md5")));
            }
        }
        return hashes;
    }

    private static void awaitSameContent(Cluster cluster) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (hashes(cluster).size() > 1) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
    }

    /** Otherwise nobody can write until the others have noticed the loss and have elected a primary. */
    @Test
    void aPrimaryThatStopsStepsDownWhileItServesItsClients() throws Exception {
        try (Cluster cluster = Cluster.start(3)) {
            int first = cluster.awaitPrimary(SOON);
            Server primary = Objects.requireNonNull(cluster.member(first));
            FutureTask<RawDocument> afterwards = new FutureTask<>(() -> firstChange(primary));
            Thread monitor = Thread.ofPlatform().start(afterwards);
            await(() -> monitor.getState() == Thread.State.TIMED_WAITING);
            cluster.stop(first);
            // A server that closes ends what runs, but steps down before.
            assertThat(afterwards.get().get("isWritablePrimary")).isEqualTo(new Value.Bool(false));
            assertThat(cluster.awaitPrimary(SOON)).isNotEqualTo(first);
        }
    }

    /** Follows what a primary says of itself until it says something else, as monitors of drivers do. */
    private static RawDocument firstChange(Server primary) {
        RawDocument said = run(primary, hello());
        while (new Value.Bool(true).equals(said.get("isWritablePrimary"))) {
            Value version = Objects.requireNonNull(said.get("topologyVersion"));
            said = run(primary, hello().put("topologyVersion", version).put("maxAwaitTimeMS", 100_000));
        }
        return said;
    }

    private static BsonWriter hello() {
        return new BsonWriter().put("hello", 1).put("$db", "admin");
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void retriedIncrementsHappenOnceWhilePrimariesCome() throws Exception {
        int clients = 4;
        int rounds = 2;
        try (Cluster cluster = Cluster.start(3);
                MongoClient client = MongoClients.create(cluster.connectionString() + RETRIES_UNTIL_TIMEOUT);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            MongoCollection<Document> counters = counters(client);
            for (int i = 0; i < clients; i++) {
                counters.insertOne(new Document("_id", i).append("n", 0));
            }
            Future<List<Integer>> stops = threads.submit(() -> {
                List<Integer> stopped = new ArrayList<>();
                for (int i = 0; i < rounds; i++) {
                    int primary = cluster.awaitPrimary(SOON);
                    cluster.stop(primary);
                    stopped.add(primary);
                    cluster.awaitPrimary(SOON);
                    cluster.restart(primary);
                }
                return stopped;
            });
            List<Future<Integer>> counts = IntStream.range(0, clients)
                    .mapToObj(id -> threads.submit(() -> {
                        int done = 0;
                        while (!stops.isDone() || done < 100) {
                            counters.updateOne(eq(id), inc("n", 1));
                            done++;
                        }
                        return done;
                    }))
                    .toList();
            for (int i = 0; i < clients; i++) {
                int done = counts.get(i).get();
                assertThat(counters.find(eq(i)).first()).isEqualTo(new Document("_id", i).append("n", done));
            }
            assertThat(stops.get()).hasSize(rounds);
            awaitSameContent(cluster);
        }
    }

    @Test
    void secondariesReadAndRefuseWrites() throws Exception {
        try (Cluster cluster = Cluster.start(3);
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            MongoCollection<Document> counters = counters(client).withWriteConcern(new WriteConcern(3));
            counters.createIndex(new Document("a", 1), new IndexOptions().unique(true));
            counters.insertOne(new Document("_id", 1).append("a", List.of(1, 2)));
            int primary = cluster.awaitPrimary(SOON);
            int secondary = (primary + 1) % 3;
            Server other = Objects.requireNonNull(cluster.member(secondary));
            try (MongoClient direct = MongoClients.create("mongodb://" + other.address() + "/?directConnection=true")) {
                MongoCollection<Document> copy = counters(direct).withReadPreference(ReadPreference.secondary());
                long deadline = System.nanoTime() + SOON.toNanos();
                while (copy.countDocuments() == 0) {
                    assertThat(System.nanoTime()).isLessThan(deadline);
                }
                assertThat(copy.find(eq("a", 2)).hintString("a_1").first())
                        .isEqualTo(new Document("_id", 1).append("a", List.of(1, 2)));
                assertThat(copy.estimatedDocumentCount()).isEqualTo(1);
                assertThatThrownBy(() -> counters(direct).insertOne(new Document("_id", 2)))
                        .isInstanceOf(MongoNotPrimaryException.class);
            }
            RawDocument refused =
                    run(other, new BsonWriter().put("find", "counters").put("$db", "test"));
            assertThat(refused.get("code")).isEqualTo(Value.of(13435));
            assertThatThrownBy(
                            () -> counters.withWriteConcern(new WriteConcern(4)).insertOne(new Document("_id", 3)))
                    .hasMessageContaining("Not enough data-bearing nodes");
        }
    }

    @Test
    void transactionsAndChangeStreamsGoOnWithTheNextPrimary() throws Exception {
        try (Cluster cluster = Cluster.start(3);
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            MongoCollection<Document> counters = counters(client);
            counters.insertOne(new Document("_id", 0));
            ChangeStreamIterable<Document> changes = counters.watch();
            try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream = changes.cursor();
                    ClientSession session = client.startSession()) {
                for (int i = 1; i <= 6; i++) {
                    Document document = new Document("_id", i);
                    session.withTransaction(() -> {
                        counters.insertOne(session, document);
                        return counters.insertOne(session, new Document("_id", -document.getInteger("_id")));
                    });
                    if (i == 3) {
                        cluster.stop(cluster.awaitPrimary(SOON));
                    }
                }
                List<Object> seen = new ArrayList<>();
                while (seen.size() < 12) {
                    seen.add(Objects.requireNonNull(stream.next().getFullDocument())
                            .get("_id"));
                }
                assertThat(seen).containsExactly(1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6);
            }
        }
    }

    /** It comes in several entries of the log. */
    @Test
    void largeCommitsReachAllMembers() throws Exception {
        try (Cluster cluster = Cluster.start(3);
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            List<Document> documents = IntStream.range(0, 20)
                    .mapToObj(i -> new Document("_id", i).append("text", "x".repeat(1_000_000)))
                    .toList();
            try (ClientSession session = client.startSession()) {
                session.withTransaction(() -> counters(client).insertMany(session, documents));
            }
            assertThat(counters(client).countDocuments()).isEqualTo(20);
            awaitSameContent(cluster);
        }
    }

    @Test
    void setThatWasStoppedHasItsData(@TempDir Path folder) throws Exception {
        List<String> addresses = Cluster.freeAddresses(3);
        try (Cluster cluster = Cluster.start(addresses, folder);
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            counters(client).insertOne(new Document("_id", 1).append("n", 1));
        }
        try (Cluster cluster = Cluster.start(addresses, folder);
                MongoClient client = MongoClients.create(cluster.connectionString())) {
            counters(client).updateOne(eq(1), inc("n", 1));
            assertThat(counters(client).find().first()).isEqualTo(new Document("_id", 1).append("n", 2));
            awaitSameContent(cluster);
            assertThatThrownBy(() -> client.getDatabase("test").runCommand(new Document("replSetReconfig", 1)))
                    .isInstanceOf(MongoCommandException.class);
        }
    }
}

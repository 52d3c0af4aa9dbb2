package dev.semel.cluster;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are closed and opened again on their data, within one process. */
@Timeout(180)
class MemberTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    /** The official driver tries again until then, not only once: on a busy machine several elections may follow each other. */
    private static final String PATIENTLY = "&timeoutMS=60000";

    @TempDir
    private Path folder;

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static Set<Value> hashes(Cluster cluster) {
        Set<Value> hashes = new HashSet<>();
        for (int i = 0; i < cluster.size(); i++) {
            Server member = Objects.requireNonNull(cluster.member(i));
            try (LocalConnection connection = member.connect()) {
                BsonWriter command = new BsonWriter().put("dbHash", 1).put("$db", "test");
                command.startDocument("$readPreference").put("mode", "nearest").end();
                hashes.add(
                        Objects.requireNonNull(connection.run(command.finish()).get("md5")));
            }
        }
        return hashes;
    }

    /** A leader and its followers, in turn. Nothing that was acknowledged is lost or happens twice. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reopenedUnderLoad(boolean isDurable) throws Exception {
        int clients = 4;
        int reopenings = 3;
        try (Cluster cluster = isDurable ? Cluster.start(Cluster.freeAddresses(3), folder) : Cluster.start(3);
                MongoClient client = MongoClients.create(cluster.connectionString() + PATIENTLY);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            MongoCollection<Document> counters = client.getDatabase("test").getCollection("counters");
            for (int i = 0; i < clients; i++) {
                counters.insertOne(new Document("_id", i).append("n", 0));
            }
            AtomicInteger done = new AtomicInteger();
            Future<?> reopened = threads.submit(() -> {
                for (int i = 0; i < reopenings; i++) {
                    int primary = cluster.awaitPrimary(SOON);
                    reopen(cluster, i % 2 == 0 ? primary : (primary + 1) % 3, done);
                }
                return null;
            });
            List<Future<Integer>> counts = IntStream.range(0, clients)
                    .mapToObj(id -> threads.submit(() -> {
                        int count = 0;
                        while (!reopened.isDone()) {
                            counters.updateOne(eq(id), inc("n", 1));
                            count++;
                        }
                        return count;
                    }))
                    .toList();
            reopened.get();
            for (int i = 0; i < clients; i++) {
                int count = counts.get(i).get();
                assertThat(counters.find(eq(i)).first()).isEqualTo(new Document("_id", i).append("n", count));
            }
            assertThat(done).hasValue(reopenings);
            await(() -> hashes(cluster).size() == 1);
        }
    }

    private static void reopen(Cluster cluster, int member, AtomicInteger done) {
        Member reopened = Objects.requireNonNull(cluster.running(member));
        Server before = reopened.server();
        reopened.reopen("a test wants it", set -> {
            done.incrementAndGet();
            return set;
        });
        await(() -> reopened.server() != before);
    }

    private Member alone(ServerOptions options) throws IOException {
        String address = Cluster.freeAddresses(1).getFirst();
        SetOptions set =
                new SetOptions("rs0", List.of(address), address, folder.resolve("log"), SetOptions.ELECTION_TIMEOUT);
        return Member.start(options.port(Integer.parseInt(address.substring(address.lastIndexOf(':') + 1))), set);
    }

    @Test
    void whatIsAskedForDuringAReopeningIsDoneAfterwards() throws Exception {
        try (Member member = alone(ServerOptions.memory())) {
            List<String> done = new ArrayList<>();
            CountDownLatch asked = new CountDownLatch(1);
            member.reopen("first", set -> {
                awaitUninterruptibly(asked);
                done.add("first");
                member.reopen("third", same -> {
                    done.add("third");
                    return same;
                });
                return set;
            });
            member.reopen("second", set -> {
                done.add("second");
                return set;
            });
            asked.countDown();
            await(() -> done.size() == 3);
            await(member::isWritablePrimary);
            assertThat(done).containsExactly("first", "second", "third");
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void closedDuringAReopening() throws Exception {
        Member member = alone(ServerOptions.memory());
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        member.reopen("a test wants it", set -> {
            begun.countDown();
            awaitUninterruptibly(closing);
            return set;
        });
        begun.await();
        Thread closer = Thread.ofVirtual().start(member::close);
        closing.countDown();
        closer.join();
        assertThat(member.isWritablePrimary()).isFalse();
        member.close();
    }

    @Test
    void reopeningThatFailsIsFatal() throws Exception {
        List<Throwable> fatal = new ArrayList<>();
        try (Member member = alone(ServerOptions.memory().onFatal(fatal::add))) {
            member.reopen("a test wants it", set -> {
                throw new IOException("of a test");
            });
            member.awaitEnd();
            assertThat(fatal).singleElement().hasToString("java.io.IOException: of a test");
        }
    }

    @Test
    void endsWithAServerThatAClientShutsDown() throws Exception {
        try (Member member = alone(ServerOptions.memory());
                LocalConnection connection = member.server().connect()) {
            connection.run(
                    new BsonWriter().put("shutdown", 1).put("$db", "admin").finish());
            member.awaitEnd();
        }
    }
}

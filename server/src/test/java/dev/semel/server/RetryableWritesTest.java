package dev.semel.server;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import dev.semel.server.session.SessionId;
import dev.semel.server.statement.Unquoted;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes that arrive more than once, over sockets and from drivers whose connections break. */
class RetryableWritesTest {
    private static final String SESSION = "00000000-0000-4000-8000-00000000000";

    /** A client that sends what it is told to. */
    private static final class Peer implements AutoCloseable {
        private final Socket socket;
        private final MessageReader reader;
        private final MessageWriter writer;

        Peer(Server server) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port(server));
            reader = new MessageReader(socket.getInputStream());
            writer = new MessageWriter(socket.getOutputStream());
        }

        RawDocument run(RawDocument command) throws IOException {
            send(command);
            Frame frame = Objects.requireNonNull(reader.read(), "the connection has ended");
            return ((OpMsg) frame.message()).body();
        }

        void send(RawDocument command) throws IOException {
            writer.write(OpMsg.of(7, 0, command), Compressor.NONE);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static int port(Server server) {
        return Integer.parseInt(server.address().substring(server.address().lastIndexOf(':') + 1));
    }

    private static RawDocument command(String text) {
        return new BsonWriter()
                .copyAll(Unquoted.document(text))
                .put("$db", "test")
                .finish();
    }

    private static RawDocument lsid(int session) {
        return SessionId.of(UUID.fromString(SESSION + session)).toDocument();
    }

    private static RawDocument once(String text, int session, long number) {
        return once(Unquoted.document(text), session, number);
    }

    private static RawDocument once(RawDocument command, int session, long number) {
        return new BsonWriter()
                .copyAll(command)
                .put("$db", "test")
                .put("lsid", lsid(session))
                .put("txnNumber", number)
                .finish();
    }

    private static RawDocument run(Server server, RawDocument command) {
        try (LocalConnection connection = server.connect()) {
            return connection.run(command);
        }
    }

    private static List<RawDocument> all(Server server, String collection) {
        RawDocument reply = run(server, command("{find: '" + collection + "', batchSize: 100000}"));
        List<RawDocument> documents = new ArrayList<>();
        if (reply.get("cursor") instanceof Value.Doc(RawDocument cursor)
                && cursor.get("firstBatch") instanceof Value.Array(RawDocument batch)) {
            batch.forEach(each -> {
                if (each.value() instanceof Value.Doc(RawDocument document)) {
                    documents.add(document);
                }
            });
        }
        return documents;
    }

    private static final String INCREMENT = "{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {n: 1}}, upsert: true}]}";

    @Test
    void theSameIncrementOnTwoConnectionsHappensOnce() throws IOException {
        try (Server server = Server.start(ServerOptions.memory());
                Peer first = new Peer(server);
                Peer second = new Peer(server)) {
            RawDocument increment = once(INCREMENT, 1, 1);
            assertThat(first.run(increment).has("upserted")).isTrue();
            assertThat(second.run(increment).has("upserted")).isTrue();
            assertThat(all(server, "c")).containsExactly(Unquoted.document("{_id: 1, n: 1}"));
        }
    }

    @Test
    void aWriteRunsToItsEndAfterItsClientHasGone() throws Exception {
        try (Server server = Server.start(ServerOptions.memory())) {
            for (int number = 1; number <= 20; number++) {
                RawDocument increment = once(INCREMENT, 1, number);
                try (Peer gone = new Peer(server)) {
                    gone.send(increment);
                }
                assertThat(run(server, increment).get("n")).isEqualTo(Value.of(1));
            }
            assertThat(all(server, "c")).containsExactly(Unquoted.document("{_id: 1, n: 20}"));
        }
    }

    @Test
    void manyArrivalsAtOnceAreOneWrite() throws Exception {
        try (Server server = Server.start(ServerOptions.memory());
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 1; round <= 50; round++) {
                long number = round;
                RawDocument findAndModify = once(
                        "{findAndModify: 'c', query: {_id: 1}, update: {$inc: {n: 1}}, new: true, upsert: true}",
                        1,
                        number);
                List<Future<@Nullable Value>> answers = clients.invokeAll(IntStream.range(0, 8)
                        .<Callable<@Nullable Value>>mapToObj(
                                i -> () -> run(server, findAndModify).get("value"))
                        .toList());
                for (Future<@Nullable Value> each : answers) {
                    assertThat(each.get()).isEqualTo(new Value.Doc(Unquoted.document("{_id: 1, n: " + round + "}")));
                }
            }
            RawDocument status = run(server, command("{serverStatus: 1}"));
            assertThat(status.get("transactions")).isInstanceOfSatisfying(Value.Doc.class, section -> {
                assertThat(section.document().get("retriedCommandsCount")).isEqualTo(Value.of(350L));
                assertThat(section.document().get("retriedStatementsCount")).isEqualTo(Value.of(350L));
                assertThat(section.document().get("transactionsCollectionWriteCount"))
                        .isEqualTo(Value.of(50L));
            });
        }
    }

    @Test
    void aRetryWaitsForTheWriteThatIsRunningAndForItsOwnTimeOnly() throws Exception {
        try (Server server = Server.start(ServerOptions.memory());
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            run(server, command("{insert: 'c', documents: [{_id: 1, n: 0}]}"));
            RawDocument holding = new BsonWriter()
                    .copyAll(once("{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {n: 100}}}]}", 2, 1))
                    .put("startTransaction", true)
                    .put("autocommit", false)
                    .finish();
            assertThat(run(server, holding).get("ok")).isEqualTo(Value.of(1.0));
            RawDocument increment = once(INCREMENT, 1, 1);
            Future<RawDocument> running = clients.submit(() -> run(server, increment));
            await(() -> isWaitedForALock(server));
            RawDocument hurried =
                    new BsonWriter().copyAll(increment).put("maxTimeMS", 50).finish();
            assertThat(run(server, hurried).get("code")).isEqualTo(Value.of(50));
            assertThat(run(server, outcome(1, 1)).get("outcome")).isEqualTo(Value.of("inProgress"));
            Future<RawDocument> retry = clients.submit(() -> run(server, increment));
            RawDocument abort = new BsonWriter()
                    .put("abortTransaction", 1)
                    .put("$db", "admin")
                    .put("lsid", lsid(2))
                    .put("txnNumber", 1L)
                    .put("autocommit", false)
                    .finish();
            assertThat(run(server, abort).get("ok")).isEqualTo(Value.of(1.0));
            assertThat(running.get().get("n")).isEqualTo(Value.of(1));
            assertThat(retry.get().get("n")).isEqualTo(Value.of(1));
            assertThat(all(server, "c")).containsExactly(Unquoted.document("{_id: 1, n: 1}"));
            assertThat(run(server, outcome(1, 1)).get("outcome")).isEqualTo(Value.of("applied"));
        }
    }

    private static boolean isWaitedForALock(Server server) {
        return run(server, command("{serverStatus: 1}")).get("globalLock") instanceof Value.Doc(RawDocument section)
                && section.get("currentQueue") instanceof Value.Doc(RawDocument queue)
                && Value.of(1).equals(queue.get("writers"));
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static RawDocument outcome(int session, long number) {
        return new BsonWriter()
                .startDocument("writeOutcome")
                .put("lsid", lsid(session))
                .put("txnNumber", number)
                .end()
                .put("$db", "test")
                .finish();
    }

    @Test
    void sessionsThatAreKilledAllTheTimeDoNotWriteTwice() throws Exception {
        try (Server server = Server.start(ServerOptions.memory());
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicInteger done = new AtomicInteger();
            Future<?> killer = clients.submit(() -> {
                while (done.get() < 6) {
                    run(server, command("{killAllSessions: []}"));
                }
            });
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int session = i / 2;
                writers.add(clients.submit(() -> {
                    try {
                        for (int number = 1; number <= 40; number++) {
                            RawDocument increment = once(
                                    "{update: 'c', updates: [{q: {_id: " + session
                                            + "}, u: {$inc: {n: 1}}, upsert: true}]}",
                                    session,
                                    number);
                            RawDocument reply = run(server, increment);
                            while (Value.of(11601).equals(reply.get("code"))) {
                                reply = run(server, increment);
                            }
                            // The other writer of the session may be ahead.
                            assertThat(reply.get("n"))
                                    .satisfiesAnyOf(
                                            n -> assertThat(n).isEqualTo(Value.of(1)),
                                            n -> assertThat(n).isNull());
                        }
                    } finally {
                        done.incrementAndGet();
                    }
                }));
            }
            for (Future<?> each : writers) {
                each.get();
            }
            killer.get();
            assertThat(all(server, "c"))
                    .extracting(each -> each.get("n"))
                    .containsExactly(Value.of(40), Value.of(40), Value.of(40));
        }
    }

    @Test
    void aLargeUnorderedCommandIsRememberedStatementByStatement(@TempDir Path folder) throws IOException {
        RawDocument reply;
        BsonWriter updates =
                new BsonWriter().put("update", "c").put("ordered", false).startArray("updates");
        for (int i = 0; i < 500; i++) {
            updates.startDocument()
                    .startDocument("q")
                    .put("k", i)
                    .end()
                    .startDocument("u")
                    .startDocument("$inc")
                    .put("n", 1)
                    .end()
                    .end()
                    .put("upsert", true)
                    .end();
        }
        RawDocument upserts = once(updates.end().finish(), 1, 1);
        try (Server server = Server.start(ServerOptions.directory(folder).inProcess())) {
            reply = run(server, upserts);
            assertThat(reply.get("n")).isEqualTo(Value.of(500));
        }
        try (Server server = Server.start(ServerOptions.directory(folder).inProcess())) {
            RawDocument again = run(server, upserts);
            assertThat(again.get("n")).isEqualTo(Value.of(500));
            assertThat(again.get("upserted")).isEqualTo(reply.get("upserted"));
            assertThat(again.get("retriedStmtIds"))
                    .isInstanceOfSatisfying(
                            Value.Array.class,
                            ids -> assertThat(ids.elements().size()).isEqualTo(500));
            assertThat(all(server, "c"))
                    .hasSize(500)
                    .allSatisfy(each -> assertThat(each.get("n")).isEqualTo(Value.of(1)));
        }
    }

    // ---- the official driver

    /** Forwards to a server, and cuts every so many connections after the request and before the answer. */
    private static final class CuttingProxy implements AutoCloseable {
        private final ServerSocket listening;
        private final int target;
        private final AtomicInteger writes = new AtomicInteger();
        private final AtomicInteger cuts = new AtomicInteger();

        CuttingProxy(int target) throws IOException {
            this.target = target;
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            Thread.ofVirtual().start(this::accept);
        }

        private void accept() {
            try {
                while (true) {
                    Socket client = listening.accept();
                    Thread.ofVirtual().start(() -> forward(client));
                }
            } catch (IOException closed) {
                // The test is over.
            }
        }

        private void forward(Socket client) {
            try (client;
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
                MessageReader requests = new MessageReader(client.getInputStream());
                MessageWriter toServer = new MessageWriter(server.getOutputStream());
                MessageReader replies = new MessageReader(server.getInputStream());
                MessageWriter toClient = new MessageWriter(client.getOutputStream());
                for (Frame frame = requests.read(); frame != null; frame = requests.read()) {
                    toServer.write(frame.message(), Compressor.NONE);
                    Frame reply = Objects.requireNonNull(replies.read());
                    boolean isWrite = frame.message() instanceof OpMsg message
                            && message.body().has("txnNumber");
                    if (isWrite && writes.incrementAndGet() % 10 == 0) {
                        cuts.incrementAndGet();
                        return;
                    }
                    toClient.write(reply.message(), Compressor.NONE);
                }
            } catch (IOException broken) {
                // As connections are.
            }
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    @Test
    void aDriverThatRetriesWritesOnceWhenAnswersAreLost() throws IOException {
        try (Server server = Server.start(ServerOptions.memory());
                CuttingProxy proxy = new CuttingProxy(port(server));
                MongoClient client = MongoClients.create(MongoClientSettings.builder()
                        .applyConnectionString(new ConnectionString("mongodb://127.0.0.1:"
                                + proxy.listening.getLocalPort()
                                + "/?directConnection=true&retryWrites=true&serverMonitoringMode=poll"))
                        .applyToServerSettings(
                                monitoring -> monitoring.minHeartbeatFrequency(10, TimeUnit.MILLISECONDS))
                        .build())) {
            MongoCollection<Document> collection = client.getDatabase("test").getCollection("c");
            for (int i = 1; i <= 12; i++) {
                assertThat(collection
                                .updateOne(eq("_id", 1), inc("n", 1), new UpdateOptions().upsert(true))
                                .wasAcknowledged())
                        .isTrue();
                assertThat(collection.findOneAndUpdate(
                                eq("_id", 1),
                                inc("n", 1),
                                new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER)))
                        .containsEntry("n", 2 * i);
                collection.insertMany(List.of(new Document("_id", "a" + i), new Document("_id", "b" + i)));
                var bulk = collection.bulkWrite(List.of(
                        new InsertOneModel<>(new Document("_id", "c" + i)),
                        new UpdateOneModel<>(eq("_id", "c" + i), inc("n", 1))));
                assertThat(bulk.getInsertedCount()).isEqualTo(1);
                assertThat(bulk.getModifiedCount()).isEqualTo(1);
                assertThat(collection.deleteOne(eq("_id", "a" + i)).getDeletedCount())
                        .isEqualTo(1);
            }
            assertThat(collection.countDocuments()).isEqualTo(25);
            assertThat(collection.find(eq("_id", "c12")).first()).containsEntry("n", 1);
            assertThat(proxy.cuts).hasValueGreaterThan(5);
        }
    }
}

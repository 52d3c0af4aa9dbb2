package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.Message.OpQuery;
import dev.semel.wire.message.Message.OpReply;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What goes over a socket, byte by byte where a driver would not send it. */
@Isolated("looks at the threads of the whole JVM")
class WireTest {
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** A client that says what it is told to. */
    private final class Peer implements AutoCloseable {
        private final Socket socket;
        private final MessageReader reader;
        private final MessageWriter writer;

        Peer() throws IOException {
            this(server);
        }

        Peer(Server where) throws IOException {
            socket = connect(where);
            reader = new MessageReader(socket.getInputStream());
            writer = new MessageWriter(socket.getOutputStream());
        }

        Frame frame() throws IOException {
            return Objects.requireNonNull(reader.read(), "the connection has ended");
        }

        OpMsg read() throws IOException {
            return (OpMsg) frame().message();
        }

        RawDocument run(BsonWriter command) throws IOException {
            writer.write(OpMsg.of(7, 0, command.finish()), Compressor.NONE);
            OpMsg reply = read();
            assertThat(reply.responseTo()).isEqualTo(7);
            return reply.body();
        }

        void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        }

        boolean isClosed() throws IOException {
            try {
                return socket.getInputStream().read() < 0;
            } catch (SocketTimeoutException e) {
                return false;
            } catch (IOException e) {
                return true;
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static BsonWriter command(String name) {
        return new BsonWriter().put(name, 1).put("$db", "admin");
    }

    private static @Nullable Value ok(RawDocument reply) {
        return reply.get("ok");
    }

    private static byte[] header(int length, int opcode) {
        return ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(length)
                .putInt(1)
                .putInt(0)
                .putInt(opcode)
                .array();
    }

    @Test
    void helloOverTheOldOpcodeLeadsToTheNewOne() throws IOException {
        try (Peer peer = new Peer()) {
            RawDocument hello =
                    new BsonWriter().put("isMaster", 1).put("helloOk", true).finish();
            peer.writer.write(new OpQuery(3, 0, 0, "admin.$cmd", hello), Compressor.NONE);
            OpReply reply = (OpReply) peer.frame().message();
            assertThat(reply.responseTo()).isEqualTo(3);
            assertThat(reply.document().get("helloOk")).isEqualTo(Value.of(true));
            assertThat(reply.document().get("ismaster")).isEqualTo(Value.of(true));
            assertThat(reply.document().get("maxWireVersion")).isEqualTo(Value.of(25));
            assertThat(ok(peer.run(command("ping")))).isEqualTo(Value.of(1.0));
        }
    }

    @Test
    void anyOtherOldQueryIsRefused() throws IOException {
        try (Peer peer = new Peer()) {
            RawDocument find = new BsonWriter().put("find", "c").finish();
            peer.writer.write(new OpQuery(3, 0, 0, "test.$cmd", find), Compressor.NONE);
            OpReply reply = (OpReply) peer.frame().message();
            assertThat(reply.document().get("code")).isEqualTo(Value.of(352));
        }
    }

    /** Of Java's drivers up to 3.12. */
    @Test
    void versionAndLoginMayBeAskedForAsOldQueries() throws IOException {
        try (Peer peer = new Peer()) {
            for (String each : List.of("isMaster", "buildinfo", "buildInfo")) {
                RawDocument command = new BsonWriter().put(each, 1).finish();
                peer.writer.write(new OpQuery(3, 0, 0, "admin.$cmd", command), Compressor.NONE);
                assertThat(ok(((OpReply) peer.frame().message()).document())).isEqualTo(Value.of(1.0));
            }
            RawDocument login = new BsonWriter()
                    .put("saslStart", 1)
                    .put("mechanism", "NONE")
                    .put("payload", new Value.Binary((byte) 0, new byte[0]))
                    .finish();
            peer.writer.write(new OpQuery(3, 0, 0, "admin.$cmd", login), Compressor.NONE);
            assertThat(((OpReply) peer.frame().message()).document().get("code"))
                    .isNotEqualTo(Value.of(352));
        }
    }

    @Test
    void oldOpcodesOnCollectionsAreAnsweredAsOldDriversExpect() throws IOException {
        try (Peer peer = new Peer()) {
            peer.writer.write(new OpQuery(3, 0, 0, "test.c", RawDocument.EMPTY), Compressor.NONE);
            OpReply query = (OpReply) peer.frame().message();
            assertThat(query.flags()).isEqualTo(OpReply.QUERY_FAILURE);
            assertThat(Json.relaxed(query.document()))
                    .isEqualTo(
                            "{\"$err\": \"OP_QUERY is no longer supported. The client driver may require an upgrade.\","
                                    + " \"code\": 5739101, \"ok\": 0.0}");
            peer.socket.getOutputStream().write(getMore(4));
            OpReply more = (OpReply) peer.frame().message();
            assertThat(more.responseTo()).isEqualTo(4);
            assertThat(more.flags()).isEqualTo(OpReply.QUERY_FAILURE);
            assertThat(more.document().get("$err"))
                    .isEqualTo(
                            Value.of("OP_GET_MORE is no longer supported. The client driver may require an upgrade."));
            assertThat(ok(peer.run(command("ping")))).isEqualTo(Value.of(1.0));
        }
    }

    private static byte[] getMore(int requestId) {
        byte[] collection = "test.c\0".getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(16 + 4 + collection.length + 12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(16 + 4 + collection.length + 12)
                .putInt(requestId)
                .putInt(0)
                .putInt(2005)
                .putInt(0)
                .put(collection)
                .putInt(2)
                .putLong(1)
                .array();
    }

    @Test
    void databasesOfTheServerAreAlwaysListed() throws IOException {
        try (Peer peer = new Peer()) {
            RawDocument reply = peer.run(command("listDatabases").put("nameOnly", true));
            assertThat(Json.relaxed(reply))
                    .contains("\"databases\": [{\"name\": \"admin\"}, {\"name\": \"config\"}, {\"name\": \"local\"}]");
        }
    }

    @Test
    void aReplyIsCompressedAsItsRequestWas() throws IOException {
        try (Peer peer = new Peer()) {
            for (Compressor each : Compressor.values()) {
                peer.writer.write(OpMsg.of(1, 0, command("ping").finish()), each);
                assertThat(peer.frame().compressor()).isEqualTo(each);
                peer.writer.write(OpMsg.of(1, 0, command("hello").finish()), each);
                assertThat(peer.frame().compressor()).isEqualTo(Compressor.NONE);
            }
        }
    }

    @Test
    void aChecksumIsVerifiedAndAnsweredWithOne() throws IOException {
        try (Peer peer = new Peer()) {
            OpMsg ping = new OpMsg(1, 0, OpMsg.CHECKSUM_PRESENT, command("ping").finish(), List.of());
            byte[] frame = MessageWriter.encode(ping);
            peer.send(frame);
            OpMsg reply = peer.read();
            assertThat(ok(reply.body())).isEqualTo(Value.of(1.0));
            assertThat(reply.flags() & OpMsg.CHECKSUM_PRESENT).isNotZero();
            frame[frame.length - 1] ^= 1;
            peer.send(frame);
            assertThat(peer.read().body().get("code")).isEqualTo(Value.of(288));
        }
    }

    @Test
    void anUnknownRequiredFlagIsAnsweredAndEndsTheConnection() throws IOException {
        try (Peer peer = new Peer()) {
            byte[] frame = MessageWriter.encode(OpMsg.of(1, 0, command("ping").finish()));
            frame[16] = 1 << 4;
            peer.send(frame);
            assertThat(peer.read().body().get("code")).isEqualTo(Value.of(223));
            assertThat(peer.isClosed()).isTrue();
        }
    }

    @Test
    void theRemovedOpcodesEndTheConnection() throws IOException {
        for (int opcode : new int[] {2001, 2002, 2006, 2007, 1, 4711}) {
            try (Peer peer = new Peer()) {
                peer.send(header(20, opcode));
                peer.send(new byte[4]);
                assertThat(peer.isClosed()).as("opcode %d", opcode).isTrue();
            }
        }
    }

    @Test
    void aLyingLengthEndsTheConnectionAndNothingElse() throws IOException {
        for (int length : new int[] {-1, 0, 15, 48_000_001, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            try (Peer peer = new Peer()) {
                peer.send(header(length, 2013));
                assertThat(peer.isClosed()).as("length %d", length).isTrue();
            }
        }
        try (Peer peer = new Peer()) {
            assertThat(ok(peer.run(command("ping")))).isEqualTo(Value.of(1.0));
        }
    }

    @Test
    void garbageNeverStopsTheServer() throws IOException {
        Random random = new Random(20_26);
        byte[] valid = MessageWriter.encode(OpMsg.of(1, 0, command("hello").finish()));
        for (int run = 0; run < 300; run++) {
            byte[] bytes = valid.clone();
            for (int i = 0; i < 1 + random.nextInt(4); i++) {
                bytes[4 + random.nextInt(bytes.length - 4)] = (byte) random.nextInt();
            }
            try (Peer peer = new Peer()) {
                peer.send(bytes);
                if (run % 2 == 0) {
                    peer.send(new byte[random.nextInt(64)]);
                }
            }
        }
        try (Peer peer = new Peer()) {
            assertThat(ok(peer.run(command("ping")))).isEqualTo(Value.of(1.0));
        }
    }

    @Test
    void aRequestThatWantsNoAnswerGetsNone() throws IOException {
        try (Peer peer = new Peer()) {
            peer.writer.write(
                    new OpMsg(5, 0, OpMsg.MORE_TO_COME, command("ping").finish(), List.of()), Compressor.NONE);
            peer.writer.write(
                    new OpMsg(6, 0, OpMsg.MORE_TO_COME, command("nonsense").finish(), List.of()), Compressor.NONE);
            assertThat(ok(peer.run(command("ping")))).isEqualTo(Value.of(1.0));
        }
    }

    @Test
    void helloStreamsOnRequest() throws IOException {
        try (Peer peer = new Peer()) {
            RawDocument first = peer.run(command("hello"));
            BsonWriter wait = command("hello")
                    .put("topologyVersion", Objects.requireNonNull(first.get("topologyVersion")))
                    .put("maxAwaitTimeMS", 20);
            peer.writer.write(new OpMsg(9, 0, OpMsg.EXHAUST_ALLOWED, wait.finish(), List.of()), Compressor.NONE);
            int responseTo = 9;
            for (int i = 0; i < 5; i++) {
                OpMsg reply = peer.read();
                assertThat(reply.moreToCome()).isTrue();
                assertThat(reply.responseTo()).isEqualTo(responseTo);
                assertThat(reply.body().get("topologyVersion")).isEqualTo(first.get("topologyVersion"));
                responseTo = reply.requestId();
            }
        }
    }

    @Test
    void batchesStreamOnRequestUntilTheCursorsEnd() throws IOException {
        try (Peer peer = new Peer()) {
            BsonWriter insert = new BsonWriter().put("insert", "c").startArray("documents");
            for (int i = 0; i < 7; i++) {
                insert.add(new BsonWriter().put("_id", i).finish());
            }
            assertThat(ok(peer.run(insert.end().put("$db", "test")))).isEqualTo(Value.of(1.0));
            long id = cursor(peer.run(
                    new BsonWriter().put("find", "c").put("batchSize", 1).put("$db", "test")));
            RawDocument more = new BsonWriter()
                    .put("getMore", id)
                    .put("collection", "c")
                    .put("batchSize", 2)
                    .put("$db", "test")
                    .finish();
            peer.writer.write(new OpMsg(9, 0, OpMsg.EXHAUST_ALLOWED, more, List.of()), Compressor.NONE);
            List<Integer> sizes = new ArrayList<>();
            int responseTo = 9;
            OpMsg reply;
            do {
                reply = peer.read();
                assertThat(reply.responseTo()).isEqualTo(responseTo);
                responseTo = reply.requestId();
                sizes.add(batch(reply.body()));
                assertThat(reply.moreToCome()).isEqualTo(cursor(reply.body()) != 0);
            } while (reply.moreToCome());
            assertThat(sizes).containsExactly(2, 2, 2, 0);
            assertThat(ok(peer.run(command("ping")))).isEqualTo(Value.of(1.0));
        }
    }

    @Test
    void cursorOfAStreamEndsWithItsClient() throws Exception {
        try (Peer other = new Peer()) {
            String text = "x".repeat(1 << 20);
            for (int i = 0; i < 40; i++) {
                BsonWriter insert = new BsonWriter().put("insert", "c").startArray("documents");
                insert.add(new BsonWriter().put("_id", i).put("t", text).finish());
                assertThat(ok(other.run(insert.end().put("$db", "test")))).isEqualTo(Value.of(1.0));
            }
            try (Peer gone = new Peer()) {
                RawDocument more = new BsonWriter()
                        .put(
                                "getMore",
                                cursor(gone.run(new BsonWriter()
                                        .put("find", "c")
                                        .put("batchSize", 1)
                                        .put("$db", "test"))))
                        .put("collection", "c")
                        .put("batchSize", 1)
                        .put("$db", "test")
                        .finish();
                gone.writer.write(new OpMsg(9, 0, OpMsg.EXHAUST_ALLOWED, more, List.of()), Compressor.NONE);
                assertThat(batch(gone.read().body())).isEqualTo(1);
                assertThat(openCursors(other)).isEqualTo(Value.of(1L));
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!Value.of(0L).equals(openCursors(other))) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    private static @Nullable Value openCursors(Peer peer) throws IOException {
        return at(peer.run(command("serverStatus")), "metrics", "cursor", "open", "total");
    }

    private static long cursor(RawDocument reply) {
        return reply.get("cursor") instanceof Value.Doc(RawDocument cursor)
                        && cursor.get("id") instanceof Value.Int64(long id)
                ? id
                : -1;
    }

    private static int batch(RawDocument reply) {
        return reply.get("cursor") instanceof Value.Doc(RawDocument cursor)
                        && cursor.get("nextBatch") instanceof Value.Array(RawDocument batch)
                ? batch.size()
                : -1;
    }

    @Test
    void aClientFromTheFutureIsLetIn() throws IOException {
        try (Peer peer = new Peer()) {
            for (String hello : List.of("hello", "isMaster", "ismaster")) {
                RawDocument reply =
                        peer.run(command(hello).put("includeClient", true).put("toCome", 1));
                assertThat(ok(reply)).isEqualTo(Value.of(1.0));
            }
        }
    }

    @Test
    void monitoringFindsWhatItAsksFor() throws IOException {
        try (Peer peer = new Peer()) {
            RawDocument status = peer.run(command("serverStatus")
                    .put("tcmalloc", 1)
                    .put("someSection", 0)
                    .startDocument("other")
                    .end());
            assertThat(ok(status)).isEqualTo(Value.of(1.0));
            assertThat(at(status, "metrics", "cursor", "timedOut")).isEqualTo(Value.of(0L));
            assertThat(at(status, "metrics", "cursor", "open", "total")).isEqualTo(Value.of(0L));
            assertThat(at(status, "metrics", "cursor", "open", "pinned")).isEqualTo(Value.of(0L));
            assertThat(at(status, "metrics", "cursor", "open", "noTimeout")).isEqualTo(Value.of(0L));
            assertThat(at(status, "opcountersRepl", "insert")).isEqualTo(Value.of(0L));
        }
    }

    @Test
    void documentsOfAllBatchesAreCounted() throws IOException {
        try (Server empty = Server.start(ServerOptions.memory());
                Peer peer = new Peer(empty)) {
            BsonWriter insert = new BsonWriter().put("insert", "c").startArray("documents");
            for (int i = 0; i < 5; i++) {
                insert.add(new BsonWriter().put("_id", i).finish());
            }
            peer.run(insert.end().put("$db", "d"));
            RawDocument first = peer.run(
                    new BsonWriter().put("find", "c").put("batchSize", 2).put("$db", "d"));
            assertThat(returned(peer)).isEqualTo(Value.of(2L));
            peer.run(new BsonWriter()
                    .put("getMore", Objects.requireNonNull(at(first, "cursor", "id")))
                    .put("collection", "c")
                    .put("$db", "d"));
            assertThat(returned(peer)).isEqualTo(Value.of(5L));
            RawDocument byId = new BsonWriter().put("_id", 1).finish();
            peer.run(new BsonWriter().put("find", "c").put("filter", byId).put("$db", "d"));
            assertThat(returned(peer)).isEqualTo(Value.of(6L));
        }
    }

    private static @Nullable Value returned(Peer peer) throws IOException {
        return at(peer.run(command("serverStatus")), "metrics", "document", "returned");
    }

    @Test
    void aMemberSaysSoInItsCommandLine() throws IOException {
        try (Server member = Server.start(ServerOptions.memory().replicaSet("rs7"));
                Peer peer = new Peer(member)) {
            RawDocument options = peer.run(command("getCmdLineOpts"));
            assertThat(options.get("argv"))
                    .isEqualTo(new BsonWriter().add("--replSet").add("rs7").finishArray());
            assertThat(at(options, "parsed", "replication", "replSet")).isEqualTo(Value.of("rs7"));
        }
    }

    private static @Nullable Value at(RawDocument document, String... path) {
        @Nullable Value value = Value.of(document);
        for (String name : path) {
            value = value instanceof Value.Doc(RawDocument inner) ? inner.get(name) : null;
        }
        return value;
    }

    @Test
    void repliesOfASetNameTheirTime() throws IOException {
        try (Peer peer = new Peer()) {
            RawDocument reply = peer.run(command("ping"));
            assertThat(reply.has("operationTime")).isTrue();
            assertThat(reply.has("$clusterTime")).isTrue();
        }
    }

    @Test
    void anOperationIsKilledByItsNumber() throws Exception {
        try (Peer waiting = new Peer();
                Peer killer = new Peer()) {
            RawDocument first = waiting.run(command("hello"));
            BsonWriter wait = command("hello")
                    .put("topologyVersion", Objects.requireNonNull(first.get("topologyVersion")))
                    .put("maxAwaitTimeMS", 60_000);
            waiting.writer.write(OpMsg.of(8, 0, wait.finish()), Compressor.NONE);
            Value operation = null;
            while (operation == null) {
                RawDocument reply = killer.run(command("currentOp").put("active", true));
                if (reply.get("inprog") instanceof Value.Array(RawDocument all)) {
                    for (var at = all.cursor(); at.next(); ) {
                        if (at.value() instanceof Value.Doc(RawDocument each)
                                && each.get("command") instanceof Value.Doc(RawDocument command)
                                && command.has("maxAwaitTimeMS")) {
                            operation = each.get("opid");
                        }
                    }
                }
            }
            killer.run(command("killOp").put("op", operation));
            assertThat(waiting.read().body().get("code")).isEqualTo(Value.of(11601));
        }
    }

    @Test
    @Tag("slow")
    void fiveThousandIdleConnectionsAreServed() throws IOException {
        List<Peer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < 5000; i++) {
                peers.add(new Peer());
            }
            for (Peer each : peers) {
                assertThat(ok(each.run(command("ping")))).isEqualTo(Value.of(1.0));
            }
        } finally {
            for (Peer each : peers) {
                each.close();
            }
        }
    }

    @Test
    void tooManyConnectionsAreClosedAtOnce() throws IOException {
        try (Server small = Server.start(ServerOptions.memory().parameters(Map.of("maxIncomingConnections", "1")));
                Socket first = connect(small);
                Socket second = connect(small)) {
            assertThat(second.getInputStream().read()).isNegative();
            assertThat(first.isConnected()).isTrue();
        }
    }

    /** In a small heap there are fewer than the setting allows. */
    @Test
    void availableConnectionsAreThoseThatTheHeapAllows() throws Exception {
        try (Server many =
                        Server.start(ServerOptions.memory().parameters(Map.of("maxIncomingConnections", "1000000")));
                Peer peer = new Peer(many)) {
            RawDocument status = peer.run(command("serverStatus"));
            assertThat(status.get("connections")).isInstanceOfSatisfying(Value.Doc.class, figures -> {
                assertThat(figures.document().get("current")).isEqualTo(Value.of(1));
                assertThat(figures.document().get("available"))
                        .isEqualTo(Value.of(Runtime.getRuntime().maxMemory() / (128 << 10) - 1));
            });
        }
    }

    private static Socket connect(Server server) throws IOException {
        String address = server.address();
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(address.indexOf(':') + 1)));
        socket.setSoTimeout(20_000);
        return socket;
    }

    @Test
    void aClosedServerLeavesNoThread() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Server another = Server.start(ServerOptions.memory());
        try (Peer idle = new Peer(another);
                LocalConnection local = another.connect()) {
            assertThat(ok(idle.run(command("ping")))).isEqualTo(Value.of(1.0));
            assertThat(ok(local.run(command("ping").finish()))).isEqualTo(Value.of(1.0));
            another.close();
            assertThat(idle.isClosed()).isTrue();
        }
        Set<String> left = Thread.getAllStackTraces().keySet().stream()
                .filter(each -> !before.contains(each) && each.isAlive())
                .map(Thread::getName)
                .filter(each -> !each.startsWith("ForkJoinPool") && !each.startsWith("VirtualThread"))
                .filter(each -> !each.equals("Read-Poller") && !each.equals("Write-Poller"))
                .collect(Collectors.toSet());
        assertThat(left).isEmpty();
    }

    @Test
    void aCommandAfterTheEndIsRefused() throws IOException {
        Server another = Server.start(ServerOptions.memory());
        LocalConnection local = another.connect();
        another.close();
        assertThat(local.run(command("ping").finish()).get("code")).isEqualTo(Value.of(11600));
    }

    // ---- clients that go away

    private RawDocument configureBlock(String mode, int millis) throws IOException {
        try (Peer admin = new Peer()) {
            return admin.run(new BsonWriter()
                    .put("configureFailPoint", "failCommand")
                    .put("mode", mode)
                    .startDocument("data")
                    .startArray("failCommands")
                    .add("find")
                    .end()
                    .put("blockConnection", true)
                    .put("blockTimeMS", millis)
                    .end()
                    .put("$db", "admin"));
        }
    }

    private long atWork(String name) throws IOException {
        try (Peer admin = new Peer()) {
            RawDocument reply = admin.run(new BsonWriter().put("currentOp", 1).put("$db", "admin"));
            long found = 0;
            if (reply.get("inprog") instanceof Value.Array(RawDocument operations)) {
                for (var each : operations) {
                    if (each.value() instanceof Value.Doc(RawDocument operation)
                            && operation.get("command") instanceof Value.Doc(RawDocument command)
                            && command.has(name)) {
                        found++;
                    }
                }
            }
            return found;
        }
    }

    private void awaitFindsAtWork(long wanted) throws IOException {
        awaitAtWork("find", wanted);
    }

    private void awaitAtWork(String name, long wanted) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (atWork(name) != wanted) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static BsonWriter increment() {
        return new BsonWriter()
                .put("update", "c")
                .put("$db", "t")
                .startArray("updates")
                .startDocument()
                .startDocument("q")
                .put("_id", 1)
                .end()
                .startDocument("u")
                .startDocument("$inc")
                .put("n", 1)
                .end()
                .end()
                .end()
                .end();
    }

    /** Waits for a lock, and does not wait for the answer. */
    private void leaveBehind(BsonWriter write) throws IOException {
        long before = atWork("update");
        try (Peer peer = new Peer()) {
            assertThat(ok(peer.run(
                            new BsonWriter().put("setClientLockTimeout", 60_000).put("$db", "admin"))))
                    .isEqualTo(Value.of(1.0));
            peer.writer.write(OpMsg.of(1, 0, write.finish()), Compressor.NONE);
            awaitAtWork("update", before + 1);
        }
    }

    @Test
    void aWriteRunsToItsEndWhenItsClientHasGone() throws IOException {
        try (Peer holder = new Peer()) {
            holder.run(new BsonWriter()
                    .put("insert", "c")
                    .put("$db", "t")
                    .startArray("documents")
                    .startDocument()
                    .put("_id", 1)
                    .put("n", 0)
                    .end()
                    .end());
            holder.run(command("beginTransaction"));
            holder.run(increment());
            leaveBehind(increment()
                    .startDocument("lsid")
                    .put("id", new Value.Binary((byte) 4, new byte[16]))
                    .end()
                    .put("txnNumber", 1L));
            leaveBehind(increment().startDocument("writeConcern").put("w", 0).end());
            // The server looks at all its clients in turn: when it has seen that this one is gone, it has seen the
            // others.
            configureBlock("alwaysOn", 600_000);
            try (Peer peer = new Peer()) {
                peer.writer.write(OpMsg.of(1, 0, find()), Compressor.NONE);
                awaitFindsAtWork(1);
            }
            awaitFindsAtWork(0);
            configureBlock("off", 0);
            assertThat(atWork("update")).isEqualTo(2);
            holder.run(command("rollbackTransaction"));
            awaitAtWork("update", 0);
            assertThat(holder.run(new BsonWriter().put("find", "c").put("$db", "t"))
                            .toString())
                    .contains("\"n\": 2");
        }
    }

    @Test
    void aCommandEndsWhenItsClientHasGone() throws IOException {
        assertThat(configureBlock("alwaysOn", 600_000).get("ok")).isEqualTo(Value.of(1.0));
        try (Peer peer = new Peer()) {
            peer.writer.write(OpMsg.of(1, 0, find()), Compressor.NONE);
            awaitFindsAtWork(1);
        }
        awaitFindsAtWork(0);
        configureBlock("off", 0);
    }

    @Test
    void aClientThatSendsItsNextCommandEarlyGetsBothAnswers() throws IOException {
        configureBlock("alwaysOn", 2_500);
        try (Peer peer = new Peer()) {
            peer.writer.write(OpMsg.of(1, 0, find()), Compressor.NONE);
            peer.writer.write(
                    OpMsg.of(
                            2,
                            0,
                            new BsonWriter().put("ping", 1).put("$db", "t").finish()),
                    Compressor.NONE);
            assertThat(peer.read().responseTo()).isEqualTo(1);
            assertThat(peer.read().responseTo()).isEqualTo(2);
            assertThat(peer.run(new BsonWriter().put("ping", 1).put("$db", "t")).get("ok"))
                    .isEqualTo(Value.of(1.0));
        }
        configureBlock("off", 0);
    }

    private static RawDocument find() {
        return new BsonWriter().put("find", "c").put("$db", "t").finish();
    }
}

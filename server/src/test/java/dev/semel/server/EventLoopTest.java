package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections that a loop serves, together with others, notice nothing of that. */
@Timeout(60)
class EventLoopTest {
    private static final int DOCUMENT_BYTES = 12 << 20;

    private Server server;
    private Peer observer;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory());
        observer = new Peer();
        var insert = new BsonWriter().put("insert", "c").startArray("documents");
        for (int i = 0; i < 3; i++) {
            insert.add(new BsonWriter().put("_id", i).put("a", i % 2).finish());
        }
        observer.run(insert.end().put("$db", "d").finish());
    }

    @AfterEach
    void stop() throws IOException {
        observer.close();
        server.close();
    }

    private static RawDocument json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }

    private final class Peer implements AutoCloseable {
        private final Socket socket;
        private final MessageReader reader;
        private final MessageWriter writer;
        private int requestId;

        Peer() throws IOException {
            String address = server.address();
            socket = new Socket();
            // What the client's side takes by itself is read in the eyes of the server.
            socket.setReceiveBufferSize(64 << 10);
            socket.connect(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(address.indexOf(':') + 1))));
            socket.setSoTimeout(20_000);
            reader = new MessageReader(socket.getInputStream());
            writer = new MessageWriter(socket.getOutputStream());
        }

        void send(RawDocument command) throws IOException {
            writer.write(OpMsg.of(++requestId, 0, command), Compressor.NONE);
        }

        RawDocument receive() throws IOException {
            var reply = (OpMsg) Objects.requireNonNull(reader.read(), "the connection has ended")
                    .message();
            assertThat(reply.responseTo()).isEqualTo(requestId);
            return reply.body();
        }

        RawDocument run(RawDocument command) throws IOException {
            send(command);
            return receive();
        }

        RawDocument run(String command) throws IOException {
            return run(json(command));
        }

        List<Value> find(String filter) throws IOException {
            return batch(run("{'find': 'c', 'filter': %s, '$db': 'd'}".formatted(filter)));
        }

        /** Until a loop serves one more connection than before. */
        Peer shared() throws IOException {
            run("{'ping': 1, '$db': 'd'}");
            long before = threaded();
            do {
                assertThat(run("{'ping': 1, '$db': 'd'}").get("ok")).isEqualTo(Value.of(1.0));
            } while (threaded() == before);
            assertThat(threaded()).isEqualTo(before - 1);
            return this;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static List<Value> batch(RawDocument reply) {
        assertThat(reply.get("ok")).as(reply.toString()).isEqualTo(Value.of(1.0));
        var cursor = ((Value.Doc) Objects.requireNonNull(reply.get("cursor"))).document();
        var batch = ((Value.Array) Objects.requireNonNull(cursor.get("firstBatch"))).elements();
        List<Value> found = new ArrayList<>();
        for (var at = batch.cursor(); at.next(); ) {
            found.add(at.value());
        }
        return found;
    }

    private long status(String... path) throws IOException {
        Value at = Value.of(observer.run("{'serverStatus': 1, '$db': 'admin'}"));
        for (var name : path) {
            at = Objects.requireNonNull(((Value.Doc) at).document().get(name), name);
        }
        return at instanceof Value.Int32(int small) ? small : ((Value.Int64) at).value();
    }

    private void awaitCurrent(int connections) throws IOException {
        while (status("connections", "current") != connections) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private long threaded() throws IOException {
        return status("connections", "threaded");
    }

    private static Value idOf(int id) {
        return Value.of(json("{'_id': %d, 'a': %d}".formatted(id, id % 2)));
    }

    @Test
    void answersAreTheSame() throws Exception {
        try (var peer = new Peer().shared()) {
            assertThat(peer.find("{'_id': 1}")).containsExactly(idOf(1));
            assertThat(peer.find("{'a': 0}")).containsExactly(idOf(0), idOf(2));
            assertThat(peer.run("{'find': 'c', 'filter': {'$or': 1}, '$db': 'd'}")
                            .get("code"))
                    .isEqualTo(Value.of(2));
            assertThat(peer.run("{'count': 'c', '$db': 'd'}").get("n")).isEqualTo(Value.of(3));
        }
    }

    private interface Visit {
        boolean didAllStay() throws IOException;
    }

    /** What takes 50 ms leaves a loop as well, as it may do on a busy machine: then all of it is done again. */
    private void untilAllStay(Visit visit) throws Exception {
        while (!visit.didAllStay()) {
            awaitCurrent(1);
        }
    }

    @Test
    void shortWritesStay() throws Exception {
        untilAllStay(this::writesShortly);
    }

    private boolean writesShortly() throws IOException {
        try (var peer = new Peer().shared()) {
            assertThat(peer.run("{'insert': 'c', 'documents': [{'_id': 9, 'a': 1}], '$db': 'd'}")
                            .get("n"))
                    .isEqualTo(Value.of(1));
            assertThat(peer.run(set(9, 2)).get("nModified")).isEqualTo(Value.of(1));
            assertThat(peer.run("{'insert': 'c', 'documents': [{'_id': 9}], '$db': 'd'}")
                            .toString())
                    .contains("E11000");
            assertThat(peer.run("{'findAndModify': 'c', 'query': {'_id': 9}, 'update': {'$inc': {'a': 1}}, '$db': 'd'}")
                            .get("value"))
                    .isEqualTo(Value.of(json("{'_id': 9, 'a': 2}")));
            assertThat(peer.find("{'_id': 9}")).containsExactly(Value.of(json("{'_id': 9, 'a': 3}")));
            assertThat(peer.run("{'delete': 'c', 'deletes': [{'q': {'_id': 9}, 'limit': 1}], '$db': 'd'}")
                            .get("n"))
                    .isEqualTo(Value.of(1));
            return threaded() == 1;
        }
    }

    private static RawDocument set(int id, int to) {
        return json("{'update': 'c', 'updates': [{'q': {'_id': %d}, 'u': {'$set': {'a': %d}}}], '$db': 'd'}"
                .formatted(id, to));
    }

    @Test
    void whatIsNotShortGetsAThreadAgain() throws Exception {
        try (var peer = new Peer().shared()) {
            assertThat(batch(peer.run(
                            "{'aggregate': 'c', 'pipeline': [{'$match': {'_id': 1}}], 'cursor': {}, '$db': 'd'}")))
                    .containsExactly(idOf(1));
            assertThat(threaded()).isEqualTo(2);
            peer.shared();
            assertThat(peer.find("{'_id': 1}")).containsExactly(idOf(1));
        }
    }

    @Test
    void readOfWhatIsDurableStays() throws Exception {
        untilAllStay(() -> {
            try (var peer = new Peer().shared()) {
                assertThat(batch(peer.run("{'find': 'c', 'filter': {'_id': 1}, 'readConcern': {'level':"
                                + " 'majority'}, '$db': 'd'}")))
                        .containsExactly(idOf(1));
                return threaded() == 1;
            }
        });
    }

    @Test
    void writeThatHasToWaitForALockHoldsUpNobodyAndHappensOnce() throws Exception {
        try (var holder = new Peer();
                var peer = new Peer().shared();
                var quick = new Peer().shared()) {
            holder.run("{'beginTransaction': 1, '$db': 'd'}");
            holder.run(set(1, 5));
            long threaded = threaded();
            long updates = status("opcounters", "update");
            long updated = status("metrics", "document", "updated");
            long requests = status("network", "numRequests");
            peer.send(json("{'update': 'c', 'updates': [{'q': {'_id': 1}, 'u': {'$inc': {'a': 1}}}], '$db': 'd'}"));
            int looks = 0;
            do {
                assertThat(quick.find("{'_id': 2}")).containsExactly(idOf(2));
                looks++;
            } while (status("globalLock", "currentQueue", "total") == 0);
            assertThat(threaded()).isEqualTo(threaded + 1);
            holder.run("{'commitTransaction': 1, '$db': 'd'}");
            assertThat(peer.receive().get("nModified")).isEqualTo(Value.of(1));
            assertThat(peer.find("{'_id': 1}")).containsExactly(Value.of(json("{'_id': 1, 'a': 6}")));
            assertThat(status("opcounters", "update")).isEqualTo(updates + 1);
            assertThat(status("metrics", "document", "updated")).isEqualTo(updated + 1);
            // Two for each look, the update, the end of the transaction and a find; and the statuses, this one too.
            assertThat(status("network", "numRequests")).isEqualTo(requests + 2L * looks + 3 + 4);
        }
    }

    @Test
    void writeOfManyDocumentsIsGivenUpAndHappensOnce() throws Exception {
        int documents = 3000;
        var insert = new BsonWriter().put("insert", "many").startArray("documents");
        for (int i = 0; i < documents; i++) {
            insert.add(new BsonWriter().put("_id", i).put("n", 0).finish());
        }
        observer.run(insert.end().put("$db", "d").finish());
        try (var peer = new Peer().shared()) {
            long updated = status("metrics", "document", "updated");
            assertThat(peer.run("{'update': 'many', 'updates': [{'q': {}, 'u': {'$inc': {'n': 1}}, 'multi':"
                                    + " true}], '$db': 'd'}")
                            .get("nModified"))
                    .isEqualTo(Value.of(documents));
            assertThat(threaded()).isEqualTo(2);
            assertThat(status("metrics", "document", "updated")).isEqualTo(updated + documents);
            assertThat(peer.run("{'count': 'many', 'query': {'n': 1}, '$db': 'd'}")
                            .get("n"))
                    .isEqualTo(Value.of(documents));
        }
    }

    @Test
    void findAndModifyThatIsGivenUpBeforeItsCommitCountsItsDocumentOnce() throws Exception {
        observer.run("{'createIndexes': 'c', 'indexes': [{'key': {'b': 1}, 'name': 'b'}], '$db': 'd'}");
        try (var peer = new Peer().shared()) {
            // So many rows take long to commit.
            assertThat(peer.run("{'findAndModify': 'c', 'query': {'_id': 1}, 'fields': {'_id': 1},"
                                    + " 'update': [{'$set': {'b': {'$range': [0, 40000]}}}], '$db': 'd'}")
                            .get("ok"))
                    .isEqualTo(Value.of(1.0));
            assertThat(threaded()).isEqualTo(2);
            assertThat(status("metrics", "document", "updated")).isEqualTo(1);
        }
    }

    @Test
    void writesOfOneCommandThatAreSeveralCommitsAreNotForALoop() throws Exception {
        try (var peer = new Peer().shared()) {
            assertThat(peer.run("{'update': 'c', 'updates': [{'q': {'_id': 1}, 'u': {'$set': {'a': 7}}},"
                                    + " {'q': {'_id': 2}, 'u': {'$set': {'a': 8}}}], 'ordered': false, '$db': 'd'}")
                            .get("nModified"))
                    .isEqualTo(Value.of(2));
            assertThat(threaded()).isEqualTo(2);
        }
    }

    @Test
    void retriedWriteIsAnsweredAsBefore() throws Exception {
        AtomicInteger number = new AtomicInteger();
        untilAllStay(() -> incrementsOnce(number.incrementAndGet()));
    }

    private boolean incrementsOnce(int number) throws IOException {
        var increment = json(("{'update': 'c', 'updates': [{'q': {'_id': 1}, 'u': {'$inc': {'a': 1}}}], 'lsid':"
                        + " {'id': {'$binary': {'base64': 'AAECAwQFBgcICQoLDA0ODw==', 'subType': '04'}}},"
                        + " 'txnNumber': {'$numberLong': '%d'}, '$db': 'd'}")
                .formatted(number));
        try (var peer = new Peer().shared();
                var other = new Peer().shared()) {
            var first = peer.run(increment);
            assertThat(first.get("nModified")).isEqualTo(Value.of(1));
            assertThat(first.get("retriedStmtIds")).isNull();
            for (var each : List.of(peer, other)) {
                var again = each.run(increment);
                assertThat(again.get("nModified")).isEqualTo(Value.of(1));
                assertThat(again.get("retriedStmtIds")).isNotNull();
            }
            assertThat(peer.find("{'_id': 1}"))
                    .containsExactly(Value.of(json("{'_id': 1, 'a': %d}".formatted(1 + number))));
            return threaded() == 1;
        }
    }

    /** Functions of JavaScript itself do not look whether to go on; what has come meanwhile is run in one go. */
    private static RawDocument computing(int pairs) {
        return json(("{'find': 'c', '$db': 'd', 'filter': {'_id': 0, '$where': 'var t = \\'ab\\'.repeat(%d)"
                        + ".split(\\'\\'); t.sort(); return t.length == %d;'}}")
                .formatted(pairs, 2 * pairs));
    }

    private static RawDocument increment(int id) {
        return json(
                "{'update': 'c', 'updates': [{'q': {'_id': %d}, 'u': {'$inc': {'n': 1}}}], '$db': 'd'}".formatted(id));
    }

    @Test
    void writesOfOneLookThatMeetEachOtherStay() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        untilAllStay(() -> incrementsTogether(rounds.incrementAndGet()));
    }

    private boolean incrementsTogether(int round) throws IOException {
        List<Peer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                peers.add(new Peer().shared());
            }
            // Closed before the threads are counted: one that has computed may have a thread.
            try (var held = new Peer().shared()) {
                held.send(computing(10_000));
                for (int i = 0; i < 8; i++) {
                    // Three of them meet, two by two.
                    peers.get(i).send(increment(i % 3));
                }
                for (var each : peers) {
                    assertThat(each.receive().get("nModified")).isEqualTo(Value.of(1));
                }
                assertThat(batch(held.receive())).hasSize(1);
            }
            for (int i = 0; i < 3; i++) {
                int times = (i == 2 ? 2 : 3) * round;
                assertThat(peers.get(i).find("{'_id': %d}".formatted(i)))
                        .containsExactly(Value.of(json("{'_id': %d, 'a': %d, 'n': %d}".formatted(i, i % 2, times))));
            }
            awaitCurrent(1 + peers.size());
            return threaded() == 1;
        } finally {
            for (var each : peers) {
                each.close();
            }
        }
    }

    @Test
    void sameNumberOnTwoConnectionsInOneLookCountsOnce() throws Exception {
        for (int number = 1; number <= 20; number++) {
            // Without an id, only the number tells that it is the same document.
            var insertion = json(("{'insert': 'r', 'documents': [{'n': 1}], 'lsid': {'id': {'$binary': {'base64':"
                            + " 'AAECAwQFBgcICQoLDA0ODw==', 'subType': '04'}}}, 'txnNumber': {'$numberLong': '%d'},"
                            + " '$db': 'd'}")
                    .formatted(number));
            try (var held = new Peer().shared();
                    var one = new Peer().shared();
                    var other = new Peer().shared()) {
                held.send(computing(10_000));
                one.send(insertion);
                other.send(insertion);
                var answers = List.of(one.receive(), other.receive());
                for (var each : answers) {
                    assertThat(each.get("n")).isEqualTo(Value.of(1));
                }
                assertThat(answers.stream().filter(each -> each.get("retriedStmtIds") != null))
                        .hasSize(1);
                assertThat(one.run("{'count': 'r', '$db': 'd'}").get("n")).isEqualTo(Value.of(number));
            }
            awaitCurrent(1);
        }
    }

    @Test
    void whatHasCommittedIsAnsweredWhileOneComputes() throws Exception {
        // Which of the two is the first to be run is up to the selector.
        for (int i = 0; i < 8; i++) {
            try (var held = new Peer().shared();
                    var writer = new Peer().shared();
                    var slow = new Peer().shared()) {
                held.send(computing(10_000));
                writer.send(insertion(i));
                slow.send(computing(400_000));
                assertThat(writer.receive().get("n")).isEqualTo(Value.of(1));
                assertThat(batch(slow.receive())).hasSize(1);
            }
            awaitCurrent(1);
        }
    }

    @Test
    void answersLeaveWhenTheWritesAreDurable(@TempDir Path folder) throws Exception {
        server.close();
        server = Server.start(ServerOptions.directory(folder));
        observer = new Peer();
        int each = 100;
        try (var one = new Peer().shared();
                var other = new Peer().shared()) {
            for (int i = 0; i < each; i++) {
                // While the first waits for its answer, the second comes, and more of the first.
                one.send(insertion(2 * i));
                other.send(insertion(2 * i + 1));
                assertThat(one.receive().get("n")).isEqualTo(Value.of(1));
                assertThat(other.receive().get("n")).isEqualTo(Value.of(1));
            }
            byte[] twice = MessageWriter.encode(OpMsg.of(1000, 0, insertion(2 * each)));
            one.requestId = 1000;
            one.socket.getOutputStream().write(twice);
            one.socket.getOutputStream().write(twice);
            assertThat(one.receive().get("n")).isEqualTo(Value.of(1));
            assertThat(one.receive().toString()).contains("E11000");
            assertThat(one.run("{'count': 'e', '$db': 'd'}").get("n")).isEqualTo(Value.of(2 * each + 1));
        }
    }

    @Test
    void whatIsNotInTheCacheIsReadElsewhereWhileTheConnectionStays(@TempDir Path folder) throws Exception {
        server.close();
        server = Server.start(ServerOptions.directory(folder));
        observer = new Peer();
        int documents = 2_000;
        var insert = new BsonWriter().put("insert", "cold").startArray("documents");
        for (int i = 0; i < documents; i++) {
            insert.add(coldDocument(i, 0));
        }
        observer.run(insert.end().put("$db", "d").finish());
        observer.run("{'createIndexes': 'cold', 'indexes': [{'key': {'a': 1}, 'name': 'a'}], '$db': 'd'}");
        AtomicInteger round = new AtomicInteger();
        untilAllStay(() -> readsColdDocuments(folder, documents, round.incrementAndGet()));
    }

    private boolean readsColdDocuments(Path folder, int documents, int round) throws IOException {
        // What is in the journal alone is in memory after the start.
        assertThat(observer.run("{'compact': 'cold', 'force': true, '$db': 'd'}")
                        .get("ok"))
                .isEqualTo(Value.of(1.0));
        observer.close();
        server.close();
        server = Server.start(ServerOptions.directory(folder));
        observer = new Peer();
        try (var peer = new Peer().shared()) {
            long before = status("semel", "store", "coldReads");
            boolean isShared = true;
            for (int id = 0; id < documents; id += 200) {
                warm(peer);
                assertThat(batch(peer.run("{'find': 'cold', 'filter': {'_id': %d}, '$db': 'd'}".formatted(id))))
                        .containsExactly(Value.of(coldDocument(id, round - 1)));
                isShared &= threaded() == 1;
                warm(peer);
                assertThat(batch(peer.run("{'find': 'cold', 'filter': {'a': %d}, '$db': 'd'}".formatted(-id - 50))))
                        .containsExactly(Value.of(coldDocument(id + 50, 0)));
                isShared &= threaded() == 1;
                warm(peer);
                assertThat(peer.run(("{'update': 'cold', 'updates': [{'q': {'_id': %d}, 'u': {'$inc': {'n': 1}}}],"
                                                + " '$db': 'd'}")
                                        .formatted(id))
                                .get("nModified"))
                        .isEqualTo(Value.of(1));
                isShared &= threaded() == 1;
            }
            assertThat(status("semel", "store", "coldReads")).isGreaterThan(before + documents / 200);
            return isShared;
        }
    }

    /** Commands enough that have no need of a file. */
    private static void warm(Peer peer) throws IOException {
        for (int i = 0; i < 40; i++) {
            assertThat(peer.find("{'_id': 1}")).isEmpty();
        }
    }

    private static RawDocument coldDocument(int id, int n) {
        return new BsonWriter()
                .put("_id", id)
                .put("a", -id)
                .put("n", n)
                .put("t", Integer.toString(id).repeat(200))
                .finish();
    }

    private static RawDocument insertion(int id) {
        return json("{'insert': 'e', 'documents': [{'_id': %d}], '$db': 'd'}".formatted(id));
    }

    @Test
    void statementInATransactionOfTheConnectionIsNotForALoop() throws Exception {
        try (var peer = new Peer();
                var other = new Peer()) {
            peer.run("{'beginTransaction': 1, 'isolation': 'serializable', '$db': 'd'}");
            for (int i = 0; i < 20; i++) {
                assertThat(peer.find("{'_id': 1}")).containsExactly(idOf(1));
            }
            // It has the locks of a transaction that has not been ended by being given up.
            other.send(json("{'update': 'c', 'updates': [{'q': {'_id': 1}, 'u': {'$set': {'a': 5}}}], '$db': 'd'}"));
            while (status("globalLock", "currentQueue", "total") == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(peer.run("{'commitTransaction': 1, '$db': 'd'}").get("ok"))
                    .isEqualTo(Value.of(1.0));
            assertThat(other.receive().get("nModified")).isEqualTo(Value.of(1));
        }
    }

    @Test
    void othersGoOnWhileOneComputesWithoutLooking() throws Exception {
        try (var slow = new Peer().shared();
                var quick = new Peer().shared()) {
            slow.send(computing(400_000));
            int answered = 0;
            while (slow.socket.getInputStream().available() == 0) {
                assertThat(quick.find("{'_id': 2}")).containsExactly(idOf(2));
                answered++;
            }
            assertThat(answered).isGreaterThan(10);
            assertThat(batch(slow.receive())).containsExactly(idOf(0));
            assertThat(slow.find("{'_id': 1}")).containsExactly(idOf(1));
        }
    }

    @Test
    void clientThatDoesNotReadHoldsUpNobody() throws Exception {
        var insert = new BsonWriter().put("insert", "large").startArray("documents");
        var large = new BsonWriter()
                .put("_id", 1)
                .put("t", "x".repeat(DOCUMENT_BYTES))
                .finish();
        observer.run(insert.add(large).end().put("$db", "d").finish());
        try (var slow = new Peer().shared();
                var quick = new Peer().shared()) {
            slow.send(json("{'find': 'large', '$db': 'd'}"));
            while (status("memoryAccount", "parts", "replies", "used") == 0) {
                assertThat(quick.find("{'_id': 2}")).containsExactly(idOf(2));
            }
            for (int i = 0; i < 100; i++) {
                assertThat(quick.find("{'_id': 2}")).containsExactly(idOf(2));
            }
            assertThat(status("memoryAccount", "parts", "replies", "used")).isGreaterThan(DOCUMENT_BYTES);
            assertThat(batch(slow.receive())).containsExactly(Value.of(large));
            assertThat(slow.find("{'_id': 1}")).containsExactly(idOf(1));
            while (status("memoryAccount", "parts", "replies", "used") > 0) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    @Test
    void requestsComeInAnyParts() throws Exception {
        untilAllStay(this::readsWhatComesInParts);
    }

    private boolean readsWhatComesInParts() throws IOException {
        byte[] one = MessageWriter.encode(OpMsg.of(7, 0, json("{'find': 'c', 'filter': {'_id': 1}, '$db': 'd'}")));
        try (var peer = new Peer().shared();
                var other = new Peer().shared()) {
            for (int cut = 1; cut < one.length; cut++) {
                peer.requestId = 7;
                var out = peer.socket.getOutputStream();
                out.write(one, 0, cut);
                out.flush();
                // By then the loop has seen that it is not all.
                assertThat(other.find("{'_id': 2}")).containsExactly(idOf(2));
                out.write(one, cut, one.length - cut);
                out.flush();
                assertThat(batch(peer.receive())).containsExactly(idOf(1));
            }
            return threaded() == 1;
        }
    }

    @Test
    void longRequestInPartsGetsAThreadAgain() throws Exception {
        byte[] one = MessageWriter.encode(OpMsg.of(
                7,
                0,
                new BsonWriter()
                        .put("count", "c")
                        .put("comment", "x".repeat(20_000))
                        .put("$db", "d")
                        .finish()));
        try (var peer = new Peer().shared()) {
            peer.requestId = 7;
            peer.socket.getOutputStream().write(one, 0, 1000);
            while (threaded() == 1) {
                LockSupport.parkNanos(100_000);
            }
            peer.socket.getOutputStream().write(one, 1000, one.length - 1000);
            assertThat(peer.receive().get("n")).isEqualTo(Value.of(3));
        }
    }

    @Test
    void twoRequestsAtATimeAreAnsweredInTheirOrder() throws Exception {
        byte[] first = MessageWriter.encode(OpMsg.of(7, 0, json("{'find': 'c', 'filter': {'_id': 1}, '$db': 'd'}")));
        byte[] second = MessageWriter.encode(OpMsg.of(8, 0, json("{'find': 'c', 'filter': {'_id': 2}, '$db': 'd'}")));
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        try (var peer = new Peer().shared()) {
            for (int i = 0; i < 100; i++) {
                peer.socket.getOutputStream().write(both);
                peer.requestId = 7;
                assertThat(batch(peer.receive())).containsExactly(idOf(1));
                peer.requestId = 8;
                assertThat(batch(peer.receive())).containsExactly(idOf(2));
            }
        }
    }

    @Test
    void garbageEndsItsConnectionAlone() throws Exception {
        try (var bad = new Peer().shared();
                var good = new Peer().shared()) {
            bad.socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(bad.socket.getInputStream().read()).isNegative();
            assertThat(good.find("{'_id': 1}")).containsExactly(idOf(1));
        }
    }

    @Test
    void goneClientsAreNoticed() throws Exception {
        List<Peer> peers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            peers.add(new Peer().shared());
        }
        assertThat(status("connections", "current")).isEqualTo(21);
        for (var each : peers) {
            each.close();
        }
        awaitCurrent(1);
        assertThat(threaded()).isEqualTo(1);
    }

    @Test
    void answerUnderWayLeavesBeforeTheServerHasClosed() throws Exception {
        try (var slow = new Peer().shared()) {
            slow.send(computing(400_000));
            while (status("connections", "active") < 2) {
                LockSupport.parkNanos(1_000_000);
            }
            server.close();
            // It may have been stopped, and says so.
            assertThat(slow.receive().get("ok")).isNotNull();
        }
    }

    @Test
    void closingTheServerEndsThem() throws Exception {
        try (var peer = new Peer().shared()) {
            server.close();
            assertThat(peer.socket.getInputStream().read()).isNegative();
            assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
                    .noneMatch(each -> each.startsWith("semel-loop"));
        }
    }
}

package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What replies and cursors may take of the memory. */
class ReplyMemoryTest {
    private static final int LIMIT = 1 << 20;

    private static RawDocument json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }

    private static Server start(String parameter) throws Exception {
        return Server.start(ServerOptions.memory().inProcess().parameters(Map.of(parameter, Integer.toString(LIMIT))));
    }

    private static void insert(LocalConnection connection, int count, int textBytes) {
        for (int i = 0; i < count; i++) {
            var insert = new BsonWriter().put("insert", "c").startArray("documents");
            insert.add(new BsonWriter()
                    .put("_id", i)
                    .put("t", "x".repeat(textBytes))
                    .finish());
            assertThat(connection.run(insert.end().put("$db", "d").finish()).get("n"))
                    .isEqualTo(Value.of(1));
        }
    }

    private static RawDocument cursor(RawDocument reply) {
        return inner(reply, "cursor");
    }

    private static long used(LocalConnection connection, String part) {
        var status = connection.run(json("{'serverStatus': 1, '$db': 'admin'}"));
        var parts = inner(inner(status, "memoryAccount"), "parts");
        return ((Value.Int64) required(inner(parts, part), "used")).value();
    }

    private static RawDocument inner(RawDocument document, String field) {
        return ((Value.Doc) required(document, field)).document();
    }

    private static Value required(RawDocument document, String field) {
        return Objects.requireNonNull(document.get(field), document.toString());
    }

    @Test
    void aBatchEndsWhereTheMemoryForRepliesDoes() throws Exception {
        try (var server = start("replyBytesTotalMax");
                var connection = server.connect()) {
            insert(connection, 20, 100_000);
            var reply = cursor(connection.run(json("{'find': 'c', '$db': 'd'}")));
            // A reply counts half as much again as it holds.
            assertThat(count(reply, "firstBatch")).isEqualTo(6);
            int total = 6;
            while (!Value.of(0L).equals(reply.get("id"))) {
                reply = cursor(connection.run(new BsonWriter()
                        .put("getMore", required(reply, "id"))
                        .put("collection", "c")
                        .put("$db", "d")
                        .finish()));
                total += count(reply, "nextBatch");
            }
            assertThat(total).isEqualTo(20);
            assertThat(used(connection, "replies")).isZero();
            assertThat(used(connection, "cursors")).isZero();
        }
    }

    private static int count(RawDocument cursor, String batch) {
        int count = 0;
        var elements = ((Value.Array) Objects.requireNonNull(cursor.get(batch)))
                .elements()
                .cursor();
        while (elements.next()) {
            count++;
        }
        return count;
    }

    @Test
    void aDocumentThatCanNeverFitIsRefusedByName() throws Exception {
        try (var server = start("replyBytesTotalMax");
                var connection = server.connect()) {
            insert(connection, 1, LIMIT);
            var reply = connection.run(json("{'find': 'c', '$db': 'd'}"));
            assertThat(reply.get("code")).isEqualTo(Value.of(146));
            assertThat(String.valueOf(reply.get("errmsg")))
                    .contains("A reply of 1048598 bytes exceeds the limit of 1048576 bytes set by the parameter"
                            + " replyBytesTotalMax, of which 0 are in use");
        }
    }

    @Test
    void cursorsWithoutRoomAreRefusedUntilOthersEnd() throws Exception {
        try (var server = start("cursorBytesTotalMax");
                var connection = server.connect()) {
            insert(connection, 3, 10);
            List<Value> open = new ArrayList<>();
            var find = json("{'find': 'c', 'batchSize': 1, 'noCursorTimeout': true, '$db': 'd'}");
            var reply = connection.run(find);
            while (reply.get("cursor") != null) {
                open.add(Objects.requireNonNull(cursor(reply).get("id")));
                reply = connection.run(find);
            }
            assertThat(reply.get("code")).isEqualTo(Value.of(146));
            assertThat(String.valueOf(reply.get("errmsg")))
                    .contains("set by the parameter cursorBytesTotalMax", "Another open cursor of ");
            assertThat(open).hasSizeBetween(LIMIT / 8192 / 3, LIMIT / 8192);
            var kill = new BsonWriter().put("killCursors", "c").startArray("cursors");
            open.forEach(kill::add);
            connection.run(kill.end().put("$db", "d").finish());
            assertThat(used(connection, "cursors")).isZero();
            assertThat(connection.run(find).get("cursor")).isNotNull();
        }
    }

    @Test
    void cursorsOfLongPipelinesStayWithinTheLimit() throws Exception {
        try (var server = start("cursorBytesTotalMax");
                var connection = server.connect()) {
            insert(connection, 3, 10);
            var pipeline = new BsonWriter().put("aggregate", "c").startArray("pipeline");
            for (int i = 0; i < 120; i++) {
                pipeline.add(json("{'$set': {'a': {'$add': ['$_id', 1, 2, 3]}}}"));
            }
            var aggregate = pipeline.end()
                    .put("cursor", json("{'batchSize': 1}"))
                    .put("$db", "d")
                    .finish();
            int open = 0;
            var reply = connection.run(aggregate);
            for (; reply.get("cursor") != null; reply = connection.run(aggregate)) {
                open++;
                assertThat(used(connection, "cursors")).isLessThanOrEqualTo(LIMIT);
            }
            assertThat(reply.get("code")).isEqualTo(Value.of(146));
            assertThat(open).isBetween(2, 8);
        }
    }

    private static final String FIND_ONE = "{'find': 'c', 'batchSize': 1, 'noCursorTimeout': true, '$db': 'd'}";

    private static RawDocument getMore(LocalConnection connection, Value id) {
        return connection.run(new BsonWriter()
                .put("getMore", id)
                .put("collection", "c")
                .put("$db", "d")
                .finish());
    }

    /** Opens cursors until one is refused. */
    private static List<Value> openAll(LocalConnection connection) {
        return openAll(connection, json(FIND_ONE));
    }

    private static List<Value> openAll(LocalConnection connection, RawDocument find) {
        List<Value> open = new ArrayList<>();
        var reply = connection.run(find);
        while (reply.get("cursor") != null) {
            open.add(required(cursor(reply), "id"));
            reply = connection.run(find);
        }
        assertThat(reply.get("code")).isEqualTo(Value.of(146));
        return open;
    }

    @Test
    void idleCursorsOfTheConnectionWithMostMakeRoomForOthers() throws Exception {
        try (var server = start("cursorBytesTotalMax");
                var greedy = server.connect();
                var other = server.connect()) {
            insert(greedy, 3, 10);
            var early = required(cursor(other.run(json(FIND_ONE))), "id");
            var open = openAll(greedy);
            List<Value> others = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                others.add(required(cursor(other.run(json(FIND_ONE))), "id"));
            }

            // Those that were idle for longest are gone, as many as were needed.
            for (int i = 0; i < 10; i++) {
                assertThat(getMore(greedy, open.get(i)).get("code")).isEqualTo(Value.of(43));
            }
            assertThat(count(cursor(getMore(greedy, open.get(10))), "nextBatch"))
                    .isEqualTo(2);
            others.add(early);
            for (var each : others) {
                assertThat(count(cursor(getMore(other, each)), "nextBatch")).isEqualTo(2);
            }
        }
    }

    @Test
    void twoWithManyCursorsGetHalfOfTheRoomEach() throws Exception {
        try (var server = start("cursorBytesTotalMax");
                var one = server.connect();
                var two = server.connect()) {
            insert(one, 3, 10);
            int all = openAll(one).size();
            assertThat(openAll(two)).hasSize(all / 2);
            assertThat(openAll(one)).isEmpty();
        }
    }

    @Test
    void everybodyGetsOneCursor() throws Exception {
        try (var server = start("cursorBytesTotalMax");
                var first = server.connect()) {
            insert(first, 3, 10);
            List<LocalConnection> connections = new ArrayList<>();
            List<Value> open = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                var connection = server.connect();
                connections.add(connection);
                open.add(required(cursor(connection.run(json(FIND_ONE))), "id"));
            }
            assertThat(getMore(connections.getFirst(), open.getFirst()).get("code"))
                    .isEqualTo(Value.of(43));
            assertThat(count(cursor(getMore(connections.getLast(), open.getLast())), "nextBatch"))
                    .isEqualTo(2);
            assertThat(used(first, "cursors")).isBetween(LIMIT / 2L, (long) LIMIT);
            connections.forEach(LocalConnection::close);
        }
    }

    /** Readers of large documents must not end each other's cursors for those that did not fit the batch. */
    @Test
    void aLargeDocumentThatDidNotFitWaitsInAFile() throws Exception {
        try (var server = start("cursorBytesTotalMax");
                var one = server.connect();
                var two = server.connect()) {
            insert(one, 3, 9_000_000);
            var readers = List.of(one, two);
            List<Value> cursors = new ArrayList<>();
            for (var reader : readers) {
                cursors.add(required(cursor(reader.run(json("{'find': 'c', '$db': 'd'}"))), "id"));
            }
            assertThat(used(one, "cursors")).isBetween(1L, 40_000L);
            assertThat(files(one)).isEqualTo(2);
            for (int round = 1; round <= 2; round++) {
                for (int i = 0; i < 2; i++) {
                    var reply = cursor(getMore(readers.get(i), cursors.get(i)));
                    assertThat(firstId(reply)).isEqualTo(Value.of(round));
                }
            }
            assertThat(used(one, "cursors")).isZero();
            assertThat(files(one)).isZero();
        }
    }

    @Test
    void nothingIsLeftOfALargeDocumentWhoseCursorIsKilled() throws Exception {
        try (var server = start("cursorBytesTotalMax");
                var connection = server.connect()) {
            insert(connection, 3, 9_000_000);
            var open = required(cursor(connection.run(json("{'find': 'c', '$db': 'd'}"))), "id");
            connection.run(json("{'find': 'c', 'singleBatch': true, '$db': 'd'}"));
            assertThat(files(connection)).isEqualTo(1);
            var kill = new BsonWriter().put("killCursors", "c").startArray("cursors");
            kill.add(open);
            connection.run(kill.end().put("$db", "d").finish());
            assertThat(files(connection)).isZero();
        }
    }

    private static long files(LocalConnection connection) {
        var status = connection.run(json("{'serverStatus': 1, '$db': 'admin'}"));
        return ((Value.Int64) required(inner(status, "temporaryFiles"), "files")).value();
    }

    private static Value firstId(RawDocument cursor) {
        var elements = ((Value.Array) required(cursor, "nextBatch")).elements().cursor();
        assertThat(elements.next()).isTrue();
        return required(((Value.Doc) elements.value()).document(), "_id");
    }

    /** Without room on disk, a document that did not fit its batch is kept in the heap, however large it is. */
    @Test
    void aCursorWithALargeDocumentMakesRoomToo() throws Exception {
        var parameters = Map.of("cursorBytesTotalMax", Integer.toString(LIMIT), "temporaryFileBytesMax", "0");
        try (var server = Server.start(ServerOptions.memory().inProcess().parameters(parameters));
                var greedy = server.connect();
                var other = server.connect()) {
            insert(greedy, 3, 9_000_000);
            var large = required(cursor(greedy.run(json("{'find': 'c', '$db': 'd'}"))), "id");
            assertThat(used(greedy, "cursors")).isGreaterThan(LIMIT);
            var small = required(cursor(other.run(json(FIND_ONE))), "id");
            assertThat(getMore(greedy, large).get("code")).isEqualTo(Value.of(43));
            assertThat(used(greedy, "cursors")).isBetween(1L, 16_384L);
            assertThat(small).isNotEqualTo(Value.of(0L));
        }
    }

    /** A thousand conditions are half a megabyte of objects, and ten kilobytes of a command. */
    @Test
    void theConditionsOfIdleCursorsCount() throws Exception {
        try (var server = start("cursorBytesTotalMax");
                var greedy = server.connect();
                var other = server.connect()) {
            insert(greedy, 3, 10);
            var find = new BsonWriter().put("find", "c").put("batchSize", 1).put("$db", "d");
            find.startDocument("filter");
            for (int i = 0; i < 1000; i++) {
                find.startDocument("f" + i).put("$exists", false).end();
            }
            var large = find.end().finish();
            List<Value> open = openAll(greedy, large);
            assertThat(open).hasSize(2);
            assertThat(String.valueOf(greedy.run(large).get("errmsg")))
                    .contains("Another open cursor of ", "set by the parameter cursorBytesTotalMax");
            assertThat(used(greedy, "cursors")).isBetween(LIMIT / 2L, (long) LIMIT);
            assertThat(used(greedy, "queries")).isZero();
            assertThat(required(cursor(other.run(json(FIND_ONE))), "id")).isNotEqualTo(Value.of(0L));
            for (Value each : open) {
                assertThat(count(cursor(getMore(greedy, each)), "nextBatch")).isEqualTo(2);
            }
        }
    }

    /** The indexes of many small documents in a batch take as much as the documents. */
    @Test
    void aBatchOfManySmallDocumentsFitsItsReply() throws Exception {
        try (var server = start("replyBytesTotalMax");
                var connection = server.connect()) {
            int documents = 60_000;
            var insert = new BsonWriter().put("insert", "c").put("$db", "d").startArray("documents");
            for (int i = 0; i < documents; i++) {
                insert.add(new BsonWriter().put("_id", i).finish());
            }
            connection.run(insert.end().finish());
            var reply = connection.run(json("{'find': 'c', 'batchSize': 100000, '$db': 'd'}"));
            assertThat(reply.get("ok")).as(reply.toString()).isEqualTo(Value.of(1.0));
            int found = count(cursor(reply), "firstBatch");
            var id = required(cursor(reply), "id");
            while (!Value.of(0L).equals(id)) {
                var more = cursor(getMore(connection, id));
                found += count(more, "nextBatch");
                id = required(more, "id");
            }
            assertThat(found).isEqualTo(documents);
        }
    }
}

package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A read at a cluster time shows what was there then, and names that time in its reply. */
class SnapshotReadTest {
    /** Each kind of command that names the time, on the collection {@code c}. */
    private static final List<String> READS = List.of(
            "{'find': 'c', 'filter': {'_id': 1}}",
            "{'find': 'c', 'filter': {'n': 1}}",
            "{'aggregate': 'c', 'pipeline': [{'$match': {'n': 1}}], 'cursor': {}}",
            "{'distinct': 'c', 'key': 'n'}");

    @Test
    void inMemory() throws Exception {
        check(ServerOptions.memory());
    }

    @Test
    void onDisk(@TempDir Path directory) throws Exception {
        check(ServerOptions.directory(directory));
    }

    private static void check(ServerOptions options) throws Exception {
        try (Server server = Server.start(options.inProcess());
                LocalConnection connection = server.connectAsClient()) {
            long before = insert(connection, "a", 1);
            long at = insert(connection, "c", 1);
            long after = insert(connection, "a", 2);
            for (String read : READS) {
                assertThat(found(connection, read, before)).as(read).isZero();
                assertThat(found(connection, read, at)).as(read).isEqualTo(1);
                // No commit has this time.
                assertThat(found(connection, read, after + 1)).as(read).isEqualTo(1);
            }
        }
    }

    private static long insert(LocalConnection connection, String collection, int id) throws Exception {
        RawDocument reply = connection.run(new BsonWriter()
                .put("insert", collection)
                .put("$db", "db")
                .startArray("documents")
                .startDocument()
                .put("_id", id)
                .put("n", 1)
                .end()
                .end()
                .finish());
        return time(reply.get("operationTime"));
    }

    private static int found(LocalConnection connection, String read, long time) throws Exception {
        RawDocument reply = connection.run(new BsonWriter()
                .copyAll(Json.parse(read.replace('\'', '"')))
                .put("$db", "db")
                .startDocument("readConcern")
                .put("level", "snapshot")
                .put("atClusterTime", new Value.Timestamp(time))
                .end()
                .finish());
        RawDocument within = reply.get("cursor") instanceof Value.Doc(RawDocument cursor) ? cursor : reply;
        assertThat(time(within.get("atClusterTime"))).as(read).isEqualTo(time);
        Value results = within == reply ? reply.get("values") : within.get("firstBatch");
        return results instanceof Value.Array(RawDocument all) ? countOf(all) : -1;
    }

    private static int countOf(RawDocument array) {
        int count = 0;
        for (Element ignored : array) {
            count++;
        }
        return count;
    }

    private static long time(@Nullable Value value) {
        return value instanceof Value.Timestamp(long time) ? time : -1;
    }
}

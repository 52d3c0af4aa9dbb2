package dev.semel.server;

import static dev.semel.server.WirePeer.at;
import static dev.semel.server.WirePeer.command;
import static dev.semel.server.WirePeer.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Message.OpMsg;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Replies that follow each other without a request for each. */
class StreamedRepliesTest {
    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void helloStreamsOnRequest() throws IOException {
        try (WirePeer peer = new WirePeer(server)) {
            RawDocument first = peer.run(command("hello"));
            BsonWriter wait = command("hello")
                    .put("topologyVersion", Objects.requireNonNull(first.get("topologyVersion")))
                    .put("maxAwaitTimeMS", 20);
            peer.write(new OpMsg(9, 0, OpMsg.EXHAUST_ALLOWED, wait.finish(), List.of()));
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
        try (WirePeer peer = new WirePeer(server)) {
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
            peer.write(new OpMsg(9, 0, OpMsg.EXHAUST_ALLOWED, more, List.of()));
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
        try (WirePeer other = new WirePeer(server)) {
            String text = "x".repeat(1 << 20);
            for (int i = 0; i < 40; i++) {
                BsonWriter insert = new BsonWriter().put("insert", "c").startArray("documents");
                insert.add(new BsonWriter().put("_id", i).put("t", text).finish());
                assertThat(ok(other.run(insert.end().put("$db", "test")))).isEqualTo(Value.of(1.0));
            }
            try (WirePeer gone = new WirePeer(server)) {
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
                gone.write(new OpMsg(9, 0, OpMsg.EXHAUST_ALLOWED, more, List.of()));
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

    private static @Nullable Value openCursors(WirePeer peer) throws IOException {
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
}

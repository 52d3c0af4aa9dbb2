package dev.semel.server;

import static dev.semel.server.WirePeer.command;
import static dev.semel.server.WirePeer.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Message.OpMsg;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that go away, or do not wait. */
class DepartedClientTest {
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
    void aWriteRunsToItsEndWhenItsClientHasGone() throws IOException {
        try (WirePeer holder = new WirePeer(server)) {
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
            try (WirePeer peer = new WirePeer(server)) {
                peer.write(OpMsg.of(1, 0, find()));
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
        try (WirePeer peer = new WirePeer(server)) {
            peer.write(OpMsg.of(1, 0, find()));
            awaitFindsAtWork(1);
        }
        awaitFindsAtWork(0);
        configureBlock("off", 0);
    }

    @Test
    void aClientThatSendsItsNextCommandEarlyGetsBothAnswers() throws IOException {
        configureBlock("alwaysOn", 2_500);
        try (WirePeer peer = new WirePeer(server)) {
            peer.write(OpMsg.of(1, 0, find()));
            peer.write(OpMsg.of(
                    2, 0, new BsonWriter().put("ping", 1).put("$db", "t").finish()));
            assertThat(peer.read().responseTo()).isEqualTo(1);
            assertThat(peer.read().responseTo()).isEqualTo(2);
            assertThat(peer.run(new BsonWriter().put("ping", 1).put("$db", "t")).get("ok"))
                    .isEqualTo(Value.of(1.0));
        }
        configureBlock("off", 0);
    }

    /** Waits for a lock, and does not wait for the answer. */
    private void leaveBehind(BsonWriter write) throws IOException {
        long before = atWork("update");
        try (WirePeer peer = new WirePeer(server)) {
            assertThat(ok(peer.run(
                            new BsonWriter().put("setClientLockTimeout", 60_000).put("$db", "admin"))))
                    .isEqualTo(Value.of(1.0));
            peer.write(OpMsg.of(1, 0, write.finish()));
            awaitAtWork("update", before + 1);
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

    private static RawDocument find() {
        return new BsonWriter().put("find", "c").put("$db", "t").finish();
    }

    private RawDocument configureBlock(String mode, int millis) throws IOException {
        try (WirePeer admin = new WirePeer(server)) {
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

    private long atWork(String name) throws IOException {
        try (WirePeer admin = new WirePeer(server)) {
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
}

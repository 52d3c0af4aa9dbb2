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
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that hold memory and do not get on are cut when it is short, and only then. */
@Timeout(60)
class SlowClientTest {
    private static final int LARGE_BYTES = 15 << 20;

    private static Server start(String limit, int bytes, String patience) throws IOException {
        return Server.start(ServerOptions.memory().parameters(Map.of(limit, Integer.toString(bytes), patience, "100")));
    }

    private static Socket connect(Server server) throws IOException {
        var socket = new Socket();
        // What the client's side takes by itself is read in the eyes of the server.
        socket.setReceiveBufferSize(16 << 10);
        var address = server.address();
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private static RawDocument json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }

    private static RawDocument run(Socket socket, RawDocument command) throws IOException {
        new MessageWriter(socket.getOutputStream()).write(OpMsg.of(1, 0, command), Compressor.NONE);
        var frame = Objects.requireNonNull(new MessageReader(socket.getInputStream()).read());
        return ((OpMsg) frame.message()).body();
    }

    private static void insertLarge(Socket socket) throws IOException {
        var insert = new BsonWriter().put("insert", "c").startArray("documents");
        insert.add(new BsonWriter().put("t", "x".repeat(LARGE_BYTES)).finish());
        assertThat(run(socket, insert.end().put("$db", "d").finish()).get("n")).isEqualTo(Value.of(1));
    }

    /** How much comes before the server ends the connection. */
    private static long readToEnd(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes().length;
        } catch (SocketException | EOFException cut) {
            return 0;
        }
    }

    private static void find(Socket socket) throws IOException {
        new MessageWriter(socket.getOutputStream())
                .write(OpMsg.of(1, 0, json("{'find': 'c', '$db': 'd'}")), Compressor.NONE);
    }

    private static long used(Socket socket, String part) throws IOException {
        Value at = Value.of(run(socket, json("{'serverStatus': 1, '$db': 'admin'}")));
        for (var name : new String[] {"memoryAccount", "parts", part, "used"}) {
            at = Objects.requireNonNull(((Value.Doc) at).document().get(name));
        }
        return ((Value.Int64) at).value();
    }

    @Test
    void clientThatDoesNotReadALargeReplyIsDisconnectedWhenMemoryForRepliesIsShort() throws Exception {
        // The reply counts 22.5 MB, more than half of this.
        try (var server = start("replyBytesTotalMax", 40 << 20, "replyStallMillisMax");
                var other = connect(server);
                var slow = connect(server)) {
            insertLarge(other);
            find(slow);
            while (used(other, "replies") == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            while (used(other, "replies") > 0) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(readToEnd(slow)).isLessThan(LARGE_BYTES);
            // Who reads is not cut, however large his reply.
            assertThat(run(other, json("{'find': 'c', '$db': 'd'}")).get("ok")).isEqualTo(Value.of(1.0));
        }
    }

    @Test
    void clientThatDoesNotReadStaysConnectedWhileThereIsPlenty() throws Exception {
        try (var server = start("replyBytesTotalMax", 200 << 20, "replyStallMillisMax");
                var other = connect(server);
                var slow = connect(server)) {
            insertLarge(other);
            find(slow);
            while (used(other, "replies") == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            // The server looks once a second; twice that long nothing happens.
            long until = System.nanoTime() + 2_500_000_000L;
            while (System.nanoTime() < until) {
                assertThat(used(other, "replies")).isPositive();
            }
            var frame = Objects.requireNonNull(new MessageReader(slow.getInputStream()).read());
            assertThat(((OpMsg) frame.message()).body().get("ok")).isEqualTo(Value.of(1.0));
        }
    }

    @Test
    void clientThatSendsALargeRequestTooSlowlyIsDisconnectedWhenMemoryForRequestsIsShort() throws Exception {
        try (var server = start("requestBytesTotalMax", 50 << 20, "requestArrivalMillisMax");
                var other = connect(server);
                var slow = connect(server)) {
            var header = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
            header.putInt(48_000_000).putInt(1).putInt(0).putInt(2013);
            try {
                slow.getOutputStream().write(header.array());
                slow.getOutputStream().write(new byte[32 << 20]);
            } catch (SocketException cut) {
                // Also while it is still sending.
            }
            assertThat(readToEnd(slow)).isZero();
            // The connection is closed before its memory is given back.
            while (used(other, "requests") > 0) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(run(other, json("{'ping': 1, '$db': 'admin'}")).get("ok"))
                    .isEqualTo(Value.of(1.0));
        }
    }
}

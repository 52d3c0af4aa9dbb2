package dev.semel.server;

import static dev.semel.server.WirePeer.command;
import static dev.semel.server.WirePeer.ok;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.Message.OpQuery;
import dev.semel.wire.message.Message.OpReply;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes over a socket, byte by byte where a driver would not send it. */
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
        try (WirePeer peer = new WirePeer(server)) {
            RawDocument hello =
                    new BsonWriter().put("isMaster", 1).put("helloOk", true).finish();
            peer.write(new OpQuery(3, 0, 0, "admin.$cmd", hello));
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
        try (WirePeer peer = new WirePeer(server)) {
            RawDocument find = new BsonWriter().put("find", "c").finish();
            peer.write(new OpQuery(3, 0, 0, "test.$cmd", find));
            OpReply reply = (OpReply) peer.frame().message();
            assertThat(reply.document().get("code")).isEqualTo(Value.of(352));
        }
    }

    /** Of Java's drivers up to 3.12. */
    @Test
    void versionAndLoginMayBeAskedForAsOldQueries() throws IOException {
        try (WirePeer peer = new WirePeer(server)) {
            for (String each : List.of("isMaster", "buildinfo", "buildInfo")) {
                RawDocument command = new BsonWriter().put(each, 1).finish();
                peer.write(new OpQuery(3, 0, 0, "admin.$cmd", command));
                assertThat(ok(((OpReply) peer.frame().message()).document())).isEqualTo(Value.of(1.0));
            }
            RawDocument login = new BsonWriter()
                    .put("saslStart", 1)
                    .put("mechanism", "NONE")
                    .put("payload", new Value.Binary((byte) 0, new byte[0]))
                    .finish();
            peer.write(new OpQuery(3, 0, 0, "admin.$cmd", login));
            assertThat(((OpReply) peer.frame().message()).document().get("code"))
                    .isNotEqualTo(Value.of(352));
        }
    }

    @Test
    void oldOpcodesOnCollectionsAreAnsweredAsOldDriversExpect() throws IOException {
        try (WirePeer peer = new WirePeer(server)) {
            peer.write(new OpQuery(3, 0, 0, "test.c", RawDocument.EMPTY));
            OpReply query = (OpReply) peer.frame().message();
            assertThat(query.flags()).isEqualTo(OpReply.QUERY_FAILURE);
            assertThat(Json.relaxed(query.document()))
                    .isEqualTo(
                            "{\"$err\": \"OP_QUERY is no longer supported. The client driver may require an upgrade.\","
                                    + " \"code\": 5739101, \"ok\": 0.0}");
            peer.send(getMore(4));
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
    void aReplyIsCompressedAsItsRequestWas() throws IOException {
        try (WirePeer peer = new WirePeer(server)) {
            for (Compressor each : Compressor.values()) {
                peer.write(OpMsg.of(1, 0, command("ping").finish()), each);
                assertThat(peer.frame().compressor()).isEqualTo(each);
                peer.write(OpMsg.of(1, 0, command("hello").finish()), each);
                assertThat(peer.frame().compressor()).isEqualTo(Compressor.NONE);
            }
        }
    }

    @Test
    void aChecksumIsVerifiedAndAnsweredWithOne() throws IOException {
        try (WirePeer peer = new WirePeer(server)) {
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
        try (WirePeer peer = new WirePeer(server)) {
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
            try (WirePeer peer = new WirePeer(server)) {
                peer.send(header(20, opcode));
                peer.send(new byte[4]);
                assertThat(peer.isClosed()).as("opcode %d", opcode).isTrue();
            }
        }
    }

    @Test
    void aLyingLengthEndsTheConnectionAndNothingElse() throws IOException {
        for (int length : new int[] {-1, 0, 15, 48_000_001, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            try (WirePeer peer = new WirePeer(server)) {
                peer.send(header(length, 2013));
                assertThat(peer.isClosed()).as("length %d", length).isTrue();
            }
        }
        try (WirePeer peer = new WirePeer(server)) {
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
            try (WirePeer peer = new WirePeer(server)) {
                peer.send(bytes);
                if (run % 2 == 0) {
                    peer.send(new byte[random.nextInt(64)]);
                }
            }
        }
        try (WirePeer peer = new WirePeer(server)) {
            assertThat(ok(peer.run(command("ping")))).isEqualTo(Value.of(1.0));
        }
    }

    @Test
    void aRequestThatWantsNoAnswerGetsNone() throws IOException {
        try (WirePeer peer = new WirePeer(server)) {
            peer.write(new OpMsg(5, 0, OpMsg.MORE_TO_COME, command("ping").finish(), List.of()));
            peer.write(new OpMsg(6, 0, OpMsg.MORE_TO_COME, command("nonsense").finish(), List.of()));
            assertThat(ok(peer.run(command("ping")))).isEqualTo(Value.of(1.0));
        }
    }

    @Test
    void aClientFromTheFutureIsLetIn() throws IOException {
        try (WirePeer peer = new WirePeer(server)) {
            for (String hello : List.of("hello", "isMaster", "ismaster")) {
                RawDocument reply =
                        peer.run(command(hello).put("includeClient", true).put("toCome", 1));
                assertThat(ok(reply)).isEqualTo(Value.of(1.0));
            }
        }
    }
}

package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.setting.ConnectionString;
import dev.semel.wire.bson.Json;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How hard zlib tries is what the application wants; the second byte of its data tells. */
class CompressionLevelTest {
    private static final int HEADER_BYTES = 16;
    private static final int ABOUT_COMPRESSION_BYTES = 9;
    private static final String HELLO = "{\"ok\": 1, \"isWritablePrimary\": true, \"maxWireVersion\": 25,"
            + " \"serviceId\": {\"$oid\": \"000000000000000000000001\"}, \"compression\": [\"zlib\"]}";

    @ParameterizedTest
    @CsvSource({"'', 9C", "&zlibCompressionLevel=-1, 9C", "&zlibCompressionLevel=0, 01", "&zlibCompressionLevel=9, DA"})
    void levelIsThatOfTheConnectionString(String option, String mark) throws Exception {
        assertThat(markWith(option)).isEqualTo(Integer.parseInt(mark, 16));
    }

    /** What the data of a client with this option begins with. */
    static int markWith(String option) throws Exception {
        try (var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var seen = new CompletableFuture<Integer>();
            Thread.ofVirtual().start(() -> {
                try (Socket socket = listener.accept()) {
                    seen.complete(markOfFirstCompressed(socket));
                } catch (IOException e) {
                    seen.completeExceptionally(e);
                }
            });
            // Behind a load balancer nobody else connects.
            try (var client = MongoClients.create(new ConnectionString("mongodb://127.0.0.1:" + listener.getLocalPort()
                    + "/?loadBalanced=true&compressors=zlib" + option))) {
                client.getDatabase("db").runCommand(new Document("ping", 1));
            }
            return seen.get(10, TimeUnit.SECONDS);
        }
    }

    private static int markOfFirstCompressed(Socket socket) throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        var hello = new MessageReader(in).read();
        assertThat(hello).isNotNull();
        int requestId = hello == null ? 0 : hello.message().requestId();
        socket.getOutputStream().write(MessageWriter.encode(Message.OpMsg.of(1, requestId, Json.parse(HELLO))));
        byte[] start = in.readNBytes(HEADER_BYTES + ABOUT_COMPRESSION_BYTES + 2);
        requestId = Integer.reverseBytes(ByteBuffer.wrap(start).getInt(4));
        socket.getOutputStream().write(MessageWriter.encode(Message.OpMsg.of(2, requestId, Json.parse("{\"ok\": 1}"))));
        return start[start.length - 1] & 0xFF;
    }

    @Test
    void levelThatDoesNotExistIsRefused() {
        assertThatThrownBy(() -> MongoClientSettings.builder().zlibCompressionLevel(10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("zlibCompressionLevel is not a number from -1 to 9: 10");
    }
}

package dev.semel.cluster;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** Asks another member, over its port for clients, on a connection for one command. */
final class MemberClient {
    private static final int REPLY_BYTES_TRUSTED = 1 << 16;

    private MemberClient() {}

    /** What it is, as it tells everybody. */
    static RawDocument hello(String address, Duration atMost) throws IOException {
        return run(address, new BsonWriter().put("hello", 1).put("$db", "admin").finish(), atMost);
    }

    private static RawDocument run(String address, RawDocument command, Duration atMost) throws IOException {
        try (Socket socket = new Socket()) {
            int millis = Math.toIntExact(atMost.toMillis());
            int colon = address.lastIndexOf(':');
            socket.connect(
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
                    millis);
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(MessageWriter.encode(OpMsg.of(1, 0, command)));
            Frame reply = new MessageReader(socket.getInputStream(), REPLY_BYTES_TRUSTED).read();
            if (reply == null || !(reply.message() instanceof OpMsg answer)) {
                throw new IOException(address + " has closed the connection");
            }
            return answer.body();
        }
    }
}

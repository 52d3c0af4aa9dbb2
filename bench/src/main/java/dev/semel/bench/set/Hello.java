package dev.semel.bench.set;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** Asks one member what it is, as often as one likes: a driver would pause after each error. */
final class Hello implements AutoCloseable {
    private static final int REPLY_BYTES_MAX = 1 << 16;
    private static final RawDocument QUESTION =
            new BsonWriter().put("hello", 1).put("$db", "admin").finish();

    private final int port;
    private @Nullable Socket socket;
    private @Nullable MessageReader replies;

    Hello(int port) {
        this.port = port;
    }

    boolean isWritablePrimary() {
        try {
            return ask().get("isWritablePrimary") instanceof Value.Bool(boolean value) && value;
        } catch (IOException e) {
            close();
            return false;
        }
    }

    private RawDocument ask() throws IOException {
        if (socket == null) {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            replies = new MessageReader(socket.getInputStream(), REPLY_BYTES_MAX);
        }
        socket.getOutputStream().write(MessageWriter.encode(OpMsg.of(1, 0, QUESTION)));
        Frame reply = replies == null ? null : replies.read();
        if (reply == null || !(reply.message() instanceof OpMsg answer)) {
            throw new IOException("the connection was closed");
        }
        return answer.body();
    }

    @Override
    public void close() {
        Socket open = socket;
        socket = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // It is not used any more.
            }
        }
    }
}

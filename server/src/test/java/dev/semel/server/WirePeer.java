package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A client on a socket that says what it is told to. */
final class WirePeer implements AutoCloseable {
    private final Socket socket;
    private final MessageReader reader;
    private final MessageWriter writer;

    WirePeer(Server server) throws IOException {
        socket = connect(server);
        reader = new MessageReader(socket.getInputStream());
        writer = new MessageWriter(socket.getOutputStream());
    }

    static Socket connect(Server server) throws IOException {
        String address = server.address();
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(address.indexOf(':') + 1)));
        socket.setSoTimeout(20_000);
        return socket;
    }

    static BsonWriter command(String name) {
        return new BsonWriter().put(name, 1).put("$db", "admin");
    }

    static @Nullable Value ok(RawDocument reply) {
        return reply.get("ok");
    }

    /** What is in a document at a path. */
    static @Nullable Value at(RawDocument document, String... path) {
        @Nullable Value value = Value.of(document);
        for (String name : path) {
            value = value instanceof Value.Doc(RawDocument inner) ? inner.get(name) : null;
        }
        return value;
    }

    Frame frame() throws IOException {
        return Objects.requireNonNull(reader.read(), "the connection has ended");
    }

    OpMsg read() throws IOException {
        return (OpMsg) frame().message();
    }

    RawDocument run(BsonWriter command) throws IOException {
        write(OpMsg.of(7, 0, command.finish()));
        OpMsg reply = read();
        assertThat(reply.responseTo()).isEqualTo(7);
        return reply.body();
    }

    void write(Message message) throws IOException {
        write(message, Compressor.NONE);
    }

    void write(Message message, Compressor compressor) throws IOException {
        writer.write(message, compressor);
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    boolean isClosed() throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

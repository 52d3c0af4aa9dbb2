package dev.semel.cluster;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers whatever it is asked with the same bytes. */
record AnsweringMember(ServerSocket socket, AtomicInteger questions) implements AutoCloseable {
    static AnsweringMember with(RawDocument answer) throws IOException {
        return with(MessageWriter.encode(OpMsg.of(1, 0, answer)));
    }

    static AnsweringMember with(byte[] answer) throws IOException {
        AnsweringMember made =
                new AnsweringMember(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), new AtomicInteger());
        Thread.ofVirtual().start(() -> made.run(answer));
        return made;
    }

    private void run(byte[] answer) {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                questions.incrementAndGet();
                Objects.requireNonNull(new MessageReader(client.getInputStream(), 1 << 16).read());
                client.getOutputStream().write(answer);
            } catch (IOException e) {
                // The next one.
            }
        }
    }

    String host() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

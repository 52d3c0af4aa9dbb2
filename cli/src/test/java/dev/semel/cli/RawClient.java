package dev.semel.cli;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.Message.Sequence;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.List;

/** A connection that sends what it is told to, and may be closed before the answer. */
final class RawClient implements AutoCloseable {
    private final Socket socket;
    private final MessageReader reader;
    private final MessageWriter writer;

    RawClient(String connectionString) throws IOException {
        var address = URI.create(connectionString);
        socket = new Socket(address.getHost(), address.getPort());
        socket.setTcpNoDelay(true);
        reader = new MessageReader(socket.getInputStream());
        writer = new MessageWriter(socket.getOutputStream());
    }

    void send(RawDocument command) throws IOException {
        writer.write(OpMsg.of(1, 0, command), Compressor.NONE);
    }

    /** With documents beside the command, where there may be more than one document can hold. */
    void send(RawDocument command, String field, List<RawDocument> documents) throws IOException {
        writer.write(new OpMsg(1, 0, 0, command, List.of(new Sequence(field, documents))), Compressor.NONE);
    }

    RawDocument read() throws IOException {
        var frame = reader.read();
        if (frame == null) {
            throw new EOFException("the connection has ended");
        }
        return ((OpMsg) frame.message()).body();
    }

    RawDocument run(RawDocument command) throws IOException {
        send(command);
        return read();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

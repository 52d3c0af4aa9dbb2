package dev.semel.bench.proxy;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** One connection on which documents are looked for by {@code _id}, with as little of its own as can be. */
final class FindClient implements AutoCloseable {
    private static final int LENGTH_BYTES = 4;
    private static final int BUFFER_BYTES = 16 * 1024;

    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];

    FindClient(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
    }

    void hello() throws IOException {
        send(new BsonWriter().put("hello", 1).put("$db", "admin").finish());
    }

    void insert(int from, int to) throws IOException {
        BsonWriter command = new BsonWriter().put("insert", "c").startArray("documents");
        for (int i = from; i < to; i++) {
            command.startDocument()
                    .put("_id", i)
                    .put("name", "a name of some length " + i)
                    .put("text", "x".repeat(200))
                    .end();
        }
        send(command.end().put("$db", "bench").finish());
    }

    void find(int id) throws IOException {
        BsonWriter command = new BsonWriter().put("find", "c");
        command.startDocument("filter").put("_id", id).end();
        send(command.put("limit", 1)
                .put("singleBatch", true)
                .put("$db", "bench")
                .finish());
    }

    private void send(RawDocument command) throws IOException {
        socket.getOutputStream().write(MessageWriter.encode(Message.OpMsg.of(1, 0, command)));
        int have = 0;
        do {
            int read = in.read(buffer, have, buffer.length - have);
            if (read < 0) {
                throw new EOFException();
            }
            have += read;
        } while (have < LENGTH_BYTES || have < LittleEndian.int32(buffer, 0));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package dev.semel.blackpipe.audit;

import dev.semel.blackpipe.message.RawFrame;
import dev.semel.blackpipe.proxy.Dialer;
import dev.semel.blackpipe.proxy.TargetUri;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageWriter;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** A connection to the primary, for the commands that prepare and read data. */
public final class Probe implements AutoCloseable {
    private static final int TIMEOUT_MS = 10_000;

    private final Socket socket;
    private final InputStream in;

    private Probe(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** An {@link IOException} says why no primary can be reached. */
    public static Probe connect(TargetUri target) throws IOException {
        IOException failure = new IOException("there is no primary among " + target.hosts());
        for (String host : target.hosts()) {
            try {
                Probe probe = open(target, host);
                RawDocument hello =
                        probe.run("admin", new BsonWriter().put("hello", 1).finish());
                if (Value.TRUE.equals(hello.get("isWritablePrimary"))) {
                    return probe;
                }
                probe.close();
                if (hello.get("primary") instanceof Value.Str(var primary)) {
                    return open(target, primary.toString());
                }
            } catch (IOException e) {
                failure.addSuppressed(e);
                failure = new IOException(e.getMessage(), failure);
            }
        }
        throw failure;
    }

    private static Probe open(TargetUri target, String host) throws IOException {
        Socket socket = Dialer.of(target).connect(host);
        try {
            socket.setSoTimeout(TIMEOUT_MS);
            Probe probe = new Probe(socket);
            Login.through(probe, target);
            return probe;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** The reply; an {@link IOException} if it is an error. */
    public RawDocument run(String database, RawDocument command) throws IOException {
        RawDocument whole =
                new BsonWriter().copyAll(command).put("$db", database).finish();
        socket.getOutputStream().write(MessageWriter.encode(Message.OpMsg.of(1, 0, whole)));
        RawFrame frame = RawFrame.read(in);
        if (frame == null || !(frame.decoded().message() instanceof Message.OpMsg reply)) {
            throw new IOException("the server ended the connection");
        }
        Value errmsg = reply.body().get("errmsg");
        if (errmsg != null) {
            throw new IOException("the server refuses " + name(command) + ": " + Json.relaxed(errmsg));
        }
        return reply.body();
    }

    /** Not the whole command: it may contain the proof of a password. */
    private static String name(RawDocument command) {
        Element first = command.first();
        return first == null ? "nothing" : first.name();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

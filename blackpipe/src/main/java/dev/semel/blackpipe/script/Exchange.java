package dev.semel.blackpipe.script;

import dev.semel.blackpipe.message.Replies;
import dev.semel.blackpipe.message.Request;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import java.util.Arrays;
import java.util.List;

/** A request that waits for the test to reply. */
public final class Exchange {
    /** Not a valid message length, so every reader detects the error. */
    private static final byte[] GARBAGE = new byte[64];

    static {
        Arrays.fill(GARBAGE, (byte) 0xEE);
    }

    private final Request request;
    private final ScriptedConnection connection;

    Exchange(Request request, ScriptedConnection connection) {
        this.request = request;
        this.connection = connection;
    }

    public Request request() {
        return request;
    }

    /** {@code {ok: 1}}. */
    public void ok() {
        reply(Replies.ok());
    }

    public void reply(RawDocument document) {
        connection.send(connection.frame(request, 0, document));
    }

    /** The same, written as Extended JSON. */
    public void reply(String json) {
        reply(Json.parse(json));
    }

    /** A command error. */
    public void error(int code, String... labels) {
        reply(Replies.error(code, "scripted error " + code, List.of(labels)));
    }

    /** Sends nothing and closes the connection, as a server does that shuts down. */
    public void hangUp() {
        connection.close();
    }

    /** Closes the connection with a TCP reset, as after a crash and restart of the machine. */
    public void reset() {
        connection.reset();
    }

    /** The bytes of this reply, for {@link #send}. */
    public byte[] encode(RawDocument document) {
        return connection.frame(request, 0, document);
    }

    /** Sends these bytes as they are: a part of a reply, or a reply once more. */
    public void send(byte[] bytes) {
        connection.send(bytes);
    }

    /** Sends only this many bytes of {@code {ok: 1}}, then closes the connection. */
    public void hangUpAfter(int bytes) {
        byte[] whole = connection.frame(request, 0, Replies.ok());
        if (bytes < 0 || bytes >= whole.length) {
            throw new IllegalArgumentException("the reply has " + whole.length + " bytes; " + bytes + " do not cut it");
        }
        connection.send(Arrays.copyOf(whole, bytes));
        connection.close();
    }

    /** Sends bytes that are not a message. */
    public void garbage() {
        connection.send(GARBAGE);
    }

    /** Sends nothing, and leaves the connection open until the server is closed. */
    public void stall() {
        // Saying nothing is all there is to do; the method lets a script say so.
    }

    @Override
    public String toString() {
        return request.toString();
    }
}

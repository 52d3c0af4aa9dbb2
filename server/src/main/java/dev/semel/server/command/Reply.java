package dev.semel.server.command;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import org.jspecify.annotations.Nullable;

/**
 * A command's answer, still open: the dispatcher adds {@code ok}, the cluster times and what else every reply carries.
 * A command that fails throws instead.
 */
public final class Reply {
    private final BsonWriter fields;
    private Answer.@Nullable Next next;
    private boolean closesConnection;

    private Reply(BsonWriter fields) {
        this.fields = fields;
    }

    /** Nothing but {@code ok: 1}. */
    public static Reply ok() {
        return new Reply(new BsonWriter());
    }

    /** The fields of a writer whose outermost document is still open. */
    public static Reply of(BsonWriter fields) {
        return new Reply(fields);
    }

    public static Reply of(RawDocument fields) {
        return new Reply(new BsonWriter(fields.length() + 128).copyAll(fields));
    }

    /**
     * The first of a stream of replies: the connection sends it and, instead of waiting for a request, runs this
     * command. Only where {@link Call#mayStream}.
     */
    public Reply then(RawDocument nextCommand) {
        next = new Answer.Next(nextCommand, null);
        return this;
    }

    /** The same; with the command that is run in its place if the client is gone. */
    public Reply then(RawDocument nextCommand, RawDocument unlessSent) {
        next = new Answer.Next(nextCommand, unlessSent);
        return this;
    }

    /** Nothing is sent; the connection is closed. So {@code shutdown} answers. */
    public static Reply closeConnection() {
        Reply reply = ok();
        reply.closesConnection = true;
        return reply;
    }

    public BsonWriter fields() {
        return fields;
    }

    Answer.@Nullable Next next() {
        return next;
    }

    boolean closesConnection() {
        return closesConnection;
    }
}

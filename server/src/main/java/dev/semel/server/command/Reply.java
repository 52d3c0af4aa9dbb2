package dev.semel.server.command;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;

/**
 * A command's answer, still open: the dispatcher adds {@code ok}, the cluster times and what else every reply carries.
 * A command that fails throws instead.
 */
public final class Reply {
    private final BsonWriter fields;

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

    public BsonWriter fields() {
        return fields;
    }
}

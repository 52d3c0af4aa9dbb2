package dev.semel.conformance.adapter;

import org.bson.BsonDocument;

/** A session, with what the runner asserts about it. */
public interface DrivenSession extends Driven {
    BsonDocument lsid();

    boolean isPinned();

    boolean isDirty();

    /** Whether a transaction is starting or in progress. */
    boolean hasTransaction();
}

package dev.semel.server.replica;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.BsonWriter;
import org.jspecify.annotations.Nullable;

/** This node's place among others, as clients are told of it. */
public interface ReplicaSet {
    /** The set's name; null for a server that belongs to none. */
    @Nullable
    String name();

    boolean isWritablePrimary();

    /** Which state of affairs this is; a higher number is a newer one. */
    long topologyCounter();

    /** Returns when the counter has passed the given one, or after so long. */
    void awaitChange(long counter, long nanosMax, Interruption interruption);

    /** The fields of {@code hello} that say who is primary and who else there is; none for a server that is alone. */
    void describe(BsonWriter hello);

    /** The fields of {@code replSetGetStatus}. */
    void status(BsonWriter reply);

    /** The document of {@code replSetGetConfig}. */
    void configuration(BsonWriter reply);
}

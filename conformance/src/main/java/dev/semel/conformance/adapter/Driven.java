package dev.semel.conformance.adapter;

import org.bson.BsonDocument;
import org.bson.BsonValue;

/** An entity of the driver under test: a client, database, collection, session, bucket or cursor. */
public interface Driven extends AutoCloseable {
    /** Runs an operation; fails with the driver's own exception, or with {@link Unsupported}. */
    Outcome run(String operation, Arguments arguments);

    /** A database of a client, a collection or bucket of a database, a session of a client. */
    default Driven create(String kind, String name, BsonDocument options) {
        throw new Unsupported(kind + " entities of this entity");
    }

    @Override
    default void close() {}

    /** What an operation gives. */
    sealed interface Outcome {
        /** No result, or null. */
        Outcome NONE = new Result(org.bson.BsonNull.VALUE);
    }

    record Result(BsonValue value) implements Outcome {}

    /** An entity with operations of its own, such as a cursor. */
    record Created(Driven entity) implements Outcome {}
}

package dev.semel.driver;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.error.MongoCommandException;
import dev.semel.driver.execution.Execution;
import dev.semel.driver.execution.Operation;
import dev.semel.driver.execution.Session;
import dev.semel.driver.model.BulkWriteResult;
import dev.semel.driver.operation.BatchCursor;
import dev.semel.driver.operation.BulkWrite;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.WriteConcern;
import java.time.Duration;
import org.bson.codecs.Decoder;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/** What a client, a database and a collection hand down to their operations. */
record Scope(
        Execution execution,
        CodecRegistry codecs,
        ReadPreference readPreference,
        ReadConcern readConcern,
        WriteConcern writeConcern,
        @Nullable Duration timeout) {
    private static final int NAMESPACE_NOT_FOUND = 26;

    Scope withCodecs(CodecRegistry value) {
        return new Scope(execution, value, readPreference, readConcern, writeConcern, timeout);
    }

    Scope withReadPreference(ReadPreference value) {
        return new Scope(execution, codecs, value, readConcern, writeConcern, timeout);
    }

    Scope withReadConcern(ReadConcern value) {
        return new Scope(execution, codecs, readPreference, value, writeConcern, timeout);
    }

    Scope withWriteConcern(WriteConcern value) {
        return new Scope(execution, codecs, readPreference, readConcern, value, timeout);
    }

    Scope withTimeout(@Nullable Duration value) {
        return new Scope(execution, codecs, readPreference, readConcern, writeConcern, value);
    }

    Deadline deadline() {
        return Deadline.ofOperation(timeout);
    }

    <R> R run(Operation<R> operation, @Nullable ClientSession session) {
        if (session != null) {
            return execution.run(operation, session.session(this), deadline());
        }
        Session implicit = Session.implicit(execution.sessions());
        try {
            return execution.run(operation, implicit, deadline());
        } finally {
            implicit.end();
        }
    }

    BulkWriteResult bulk(BulkWrite<?> bulk, @Nullable ClientSession session) {
        if (session != null) {
            return bulk.run(execution, session.session(this), deadline());
        }
        Session implicit = Session.implicit(execution.sessions());
        try {
            return bulk.run(execution, implicit, deadline());
        } finally {
            implicit.end();
        }
    }

    /** That there is no such collection is no failure. */
    void drop(@Nullable ClientSession session, MongoNamespace namespace) {
        var operation = CommandOperation.write(
                "drop",
                namespace.databaseName(),
                writeConcern,
                codecs,
                fields -> fields.put("drop", namespace.collectionName()),
                reply -> reply);
        try {
            run(operation, session);
        } catch (MongoCommandException e) {
            if (e.getCode() != NAMESPACE_NOT_FOUND) {
                throw e;
            }
        }
    }

    /** A session made for the cursor ends with the cursor. */
    <T> MongoCursor<T> open(
            Operation<CursorPage> operation, @Nullable ClientSession session, Decoder<T> decoder, Fetch fetch) {
        Session used = session == null ? Session.implicit(execution.sessions()) : session.session(this);
        boolean isOpen = false;
        try {
            Deadline whole = deadline();
            CursorPage first = execution.run(operation, used, whole);
            var fetching = new BatchCursor.Fetching(
                    fetch.batchSize(),
                    fetch.limit(),
                    fetch.isTailable(),
                    fetch.maxAwaitTime(),
                    fetch.comment(),
                    fetch.isTailable() ? this::deadline : () -> whole,
                    codecs);
            var cursor = new ServerCursor<>(new BatchCursor<>(execution, used, first, decoder, fetching));
            isOpen = true;
            return cursor;
        } finally {
            if (!isOpen && session == null) {
                used.end();
            }
        }
    }
}

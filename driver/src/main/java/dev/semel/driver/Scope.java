package dev.semel.driver;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.execution.Execution;
import dev.semel.driver.execution.Operation;
import dev.semel.driver.execution.Session;
import dev.semel.driver.operation.BatchCursor;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.WriteConcern;
import java.time.Duration;
import java.util.function.Function;
import org.bson.codecs.Decoder;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/** The settings that clients, databases and collections pass to their operations. */
record Scope(
        Execution execution,
        CodecRegistry codecs,
        ReadPreference readPreference,
        ReadConcern readConcern,
        WriteConcern writeConcern,
        @Nullable Duration timeout) {
    Scope {
        if (timeout != null && timeout.isNegative()) {
            throw new IllegalArgumentException("The timeout must not be negative, found " + timeout);
        }
    }

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
        return execution.time().ofOperation(timeout);
    }

    <R> R run(Operation<R> operation, @Nullable ClientSession session) {
        return withSession(session, used -> execution.run(operation, used, deadline()));
    }

    /** Uses the given session, or an implicit one. */
    <R> R withSession(@Nullable ClientSession session, Function<Session, R> work) {
        if (session != null) {
            return work.apply(session.session(this));
        }
        Session implicit = Session.implicit(execution.sessions());
        try {
            return work.apply(implicit);
        } finally {
            implicit.end();
        }
    }

    /** A session made for the cursor ends with the cursor. */
    <T> ServerCursor<T> open(
            CommandOperation<CursorPage> operation, @Nullable ClientSession session, Decoder<T> decoder, Fetch fetch) {
        return open(operation, session, decoder, fetch, deadline());
    }

    /** The deadline is that of the first command, and of a cursor that is limited as a whole. */
    <T> ServerCursor<T> open(
            CommandOperation<CursorPage> operation,
            @Nullable ClientSession session,
            Decoder<T> decoder,
            Fetch fetch,
            Deadline whole) {
        fetch.check(timeout);
        Session used = session == null ? Session.implicit(execution.sessions()) : session.session(this);
        boolean isOpen = false;
        try {
            CursorPage first =
                    execution.run(fetch.mayLimitFirstCommand() ? operation : operation.withoutMaxTime(), used, whole);
            var fetching = new BatchCursor.Fetching(
                    fetch.batchSize(),
                    fetch.limit(),
                    fetch.maxAwaitTime(),
                    fetch.comment(),
                    fetch.isTimedByIteration() ? this::deadline : () -> whole,
                    this::deadline,
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

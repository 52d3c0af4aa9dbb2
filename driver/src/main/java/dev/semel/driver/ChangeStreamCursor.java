package dev.semel.driver;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.error.MongoChangeStreamException;
import dev.semel.driver.error.MongoCursorNotFoundException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoInterruptedException;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoServerException;
import dev.semel.driver.operation.BatchCursor;
import dev.semel.driver.setting.ServerAddress;
import java.time.Duration;
import java.util.NoSuchElementException;
import org.bson.BsonDocument;
import org.bson.BsonDocumentReader;
import org.bson.BsonTimestamp;
import org.bson.codecs.Decoder;
import org.bson.codecs.DecoderContext;
import org.jspecify.annotations.Nullable;

/**
 * Iterates a change stream. After a network error or a step-down the stream resumes after the last returned change, so
 * no change is missed or returned twice.
 */
public final class ChangeStreamCursor<T> implements MongoChangeStreamCursor<T> {
    /** How often one call opens the stream again before it gives up. */
    private static final int RESUMES_MAX = 5;

    private final ChangeStreamIterable<?> stream;
    private final Decoder<T> decoder;
    private final ChangeStreamIterable.Start start;
    private BatchCursor<BsonDocument> changes;
    private @Nullable BsonDocument resumeToken;
    private @Nullable BsonTimestamp openedAt;
    private @Nullable BsonDocument next;
    private boolean hasReturned;
    private boolean mustResume;

    ChangeStreamCursor(ChangeStreamIterable<?> stream, Decoder<T> decoder) {
        this.stream = stream;
        this.decoder = decoder;
        start = stream.start();
        resumeToken = start.startAfter() == null ? start.resumeAfter() : start.startAfter();
        changes = stream.open(start, stream.deadline()).batches();
        if (start.isNow()) {
            openedAt = changes.page().operationTime();
        }
        rememberBatch();
    }

    /** An empty or finished batch moves the stream on, too: the server says to where. */
    private void rememberBatch() {
        if (changes.isAtEndOfPage()) {
            BsonDocument token = changes.page().resumeToken();
            resumeToken = token == null ? resumeToken : token;
        }
    }

    @Override
    public @Nullable BsonDocument getResumeToken() {
        return resumeToken;
    }

    /** Waits for the next change. */
    @Override
    public boolean hasNext() {
        Deadline whole = stream.deadline();
        while (next == null) {
            next = fetch(whole);
            if (next == null && changes.page().cursorId() == 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("The change stream has ended");
        }
        return take();
    }

    @Override
    public @Nullable T tryNext() {
        if (next == null) {
            next = fetch(stream.deadline());
        }
        return next == null ? null : take();
    }

    /** One call has one deadline, however often it has to open the stream again. */
    private @Nullable BsonDocument fetch(Deadline whole) {
        if (mustResume) {
            resume(whole);
        }
        for (int resumes = 0; ; resumes++) {
            try {
                BsonDocument change = ask(whole);
                if (change == null) {
                    rememberBatch();
                }
                return change;
            } catch (MongoException e) {
                if (!isResumable(e) || resumes == RESUMES_MAX) {
                    throw e;
                }
                resume(whole);
            }
        }
    }

    private @Nullable BsonDocument ask(Deadline whole) {
        try {
            return changes.tryNext(whole);
        } catch (MongoOperationTimeoutException e) {
            // Its answer may still arrive and is dropped: the next call begins behind the last change.
            mustResume = true;
            throw e;
        }
    }

    private T take() {
        BsonDocument change = next;
        if (change == null) {
            throw new NoSuchElementException("The change stream has ended");
        }
        next = null;
        if (!change.isDocument("_id")) {
            throw new MongoChangeStreamException(
                    "Cannot provide resume functionality when the resume token is missing: the pipeline removed _id");
        }
        hasReturned = true;
        resumeToken = change.getDocument("_id");
        rememberBatch();
        return decoder.decode(
                new BsonDocumentReader(change), DecoderContext.builder().build());
    }

    /** Errors without a server's reply are resumable, such as network errors: another server may be available. */
    private static boolean isResumable(MongoException e) {
        if (e instanceof MongoServerException) {
            return e instanceof MongoCursorNotFoundException
                    || e.hasErrorLabel(MongoException.RESUMABLE_CHANGE_STREAM_ERROR_LABEL);
        }
        return !(e instanceof MongoOperationTimeoutException || e instanceof MongoInterruptedException);
    }

    private void resume(Deadline whole) {
        // If it does not come to that now, the next call begins with it.
        mustResume = true;
        changes.close();
        BsonDocument token = resumeToken;
        ChangeStreamIterable.Start from;
        if (token == null) {
            from = new ChangeStreamIterable.Start(null, null, start.atTime() == null ? openedAt : start.atTime());
        } else if (start.startAfter() != null && !hasReturned) {
            // Only startAfter may name an invalidation, and nothing has come since.
            from = new ChangeStreamIterable.Start(null, token, null);
        } else {
            from = new ChangeStreamIterable.Start(token, null, null);
        }
        changes = stream.open(from, whole).batches();
        mustResume = false;
        rememberBatch();
    }

    @Override
    public int available() {
        return changes.available() + (next == null ? 0 : 1);
    }

    @Override
    public long cursorId() {
        return changes.page().cursorId();
    }

    @Override
    public ServerAddress getServerAddress() {
        return changes.page().server().address();
    }

    @Override
    public void close() {
        changes.close();
    }

    @Override
    public void close(Duration timeout) {
        changes.close(timeout);
    }
}

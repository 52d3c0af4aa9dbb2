package dev.semel.driver.operation;

import dev.semel.driver.connection.Deadline;
import dev.semel.driver.connection.DocumentReader;
import dev.semel.driver.connection.MalformedReply;
import dev.semel.driver.error.MongoCursorNotFoundException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.execution.Execution;
import dev.semel.driver.execution.Session;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.bson.BsonValue;
import org.bson.codecs.Decoder;
import org.bson.codecs.configuration.CodecRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Documents of a cursor, fetched batch by batch and decoded one by one. Ends its session when the server has no more, if the
 * session is its own.
 */
public final class BatchCursor<T> implements AutoCloseable {
    /** What a cursor does to fetch its next batch. */
    public record Fetching(
            int batchSize,
            long limit,
            @Nullable Duration maxAwaitTime,
            @Nullable BsonValue comment,
            Supplier<Deadline> deadlines,
            Supplier<Deadline> deadlineOfClose,
            CodecRegistry codecs) {}

    private static final int UNCOUNTED = -1;

    private final Execution execution;
    private final Session session;
    private final boolean ownsSession;
    private final DocumentReader<T> reader;
    private final Fetching fetching;
    private final long id;
    private CursorPage page;
    private ElementCursor position;
    private @Nullable RawDocument current;
    private int readOfPage;
    private int countOfPage = UNCOUNTED;
    private long returned;
    private boolean isClosed;

    /** An implicit session ends with the cursor. */
    public BatchCursor(Execution execution, Session session, CursorPage first, Decoder<T> decoder, Fetching fetching) {
        this(execution, session, session.isImplicit(), first, decoder, fetching);
    }

    private BatchCursor(
            Execution execution,
            Session session,
            boolean ownsSession,
            CursorPage first,
            Decoder<T> decoder,
            Fetching fetching) {
        this.execution = execution;
        this.session = session;
        this.ownsSession = ownsSession;
        reader = new DocumentReader<>(decoder, execution.fieldNames());
        this.fetching = fetching;
        id = first.cursorId();
        page = first;
        position = first.documents().cursor();
        endIfDone();
    }

    /** For a cursor that is only a part of what its session is there for. */
    static <T> BatchCursor<T> inSession(
            Execution execution, Session session, CursorPage first, Decoder<T> decoder, Fetching fetching) {
        return new BatchCursor<>(execution, session, false, first, decoder, fetching);
    }

    /** Waits for more where the cursor is tailable. */
    public boolean hasNext() {
        checkOpen();
        Deadline whole = null;
        while (current == null) {
            if (advance()) {
                return true;
            }
            if (page.cursorId() == 0) {
                return false;
            }
            whole = whole == null ? fetching.deadlines().get() : whole;
            fetch(whole);
        }
        return true;
    }

    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("The cursor has no more documents");
        }
        return take();
    }

    /** Asks the server once where the batch has no more; null if it has nothing yet. */
    public @Nullable T tryNext() {
        return tryNext(fetching.deadlines());
    }

    /** The same as a part of something that has a deadline as a whole. */
    public @Nullable T tryNext(Deadline whole) {
        return tryNext(() -> whole);
    }

    private @Nullable T tryNext(Supplier<Deadline> deadlines) {
        checkOpen();
        if (current == null && !advance()) {
            if (page.cursorId() == 0) {
                return null;
            }
            fetch(deadlines.get());
            if (!advance()) {
                return null;
            }
        }
        return take();
    }

    private boolean advance() {
        if (fetching.limit() > 0 && returned >= fetching.limit()) {
            kill(fetching.deadlineOfClose().get());
            return false;
        }
        if (!position.next()) {
            return false;
        }
        if (!(position.value() instanceof Value.Doc(RawDocument document))) {
            throw MalformedReply.exception(page.server().address(), "its batch has an element that is not a document");
        }
        current = document;
        readOfPage++;
        returned++;
        return true;
    }

    private T take() {
        RawDocument document = current;
        if (document == null) {
            throw new NoSuchElementException("The cursor has no more documents");
        }
        current = null;
        return reader.read(document);
    }

    /** How many documents of the batch are left. */
    public int available() {
        if (countOfPage == UNCOUNTED) {
            countOfPage = count(page.documents());
        }
        return countOfPage - readOfPage + (current == null ? 0 : 1);
    }

    private static int count(RawDocument documents) {
        int count = 0;
        for (ElementCursor each = documents.cursor(); each.next(); ) {
            count++;
        }
        return count;
    }

    public CursorPage page() {
        return page;
    }

    /** Whether every document of the batch has been handed out. */
    public boolean isAtEndOfPage() {
        return current == null && !position.hasNext();
    }

    private void checkOpen() {
        if (isClosed) {
            throw new IllegalStateException("The cursor is closed");
        }
    }

    private void fetch(Deadline deadline) {
        MongoNamespace target = page.target();
        long cursorId = page.cursorId();
        long batchSize = fetching.batchSize();
        if (fetching.limit() > 0) {
            long left = fetching.limit() - returned;
            batchSize = batchSize > 0 ? Math.min(batchSize, left) : left;
        }
        int batch = (int) batchSize;
        var getMore = CommandOperation.of(
                        "getMore",
                        target.databaseName(),
                        CommandOperation.Traits.CURSOR,
                        fetching.codecs(),
                        fields -> fields.put("getMore", cursorId)
                                .put("collection", target.collectionName())
                                .putUnlessZero("batchSize", batch)
                                .put("comment", fetching.comment()),
                        CursorPage::of)
                .onServer(page.server())
                .withMaxTime(maxWait(deadline));
        try {
            page = execution.run(getMore, session, deadline);
            turn();
        } catch (MongoCursorNotFoundException | MongoSocketException e) {
            // There is nothing left on the server that could be closed.
            page = CursorPage.last(RawDocument.EMPTY, page.server());
            turn();
            throw e;
        } finally {
            endIfDone();
        }
    }

    private @Nullable Duration maxWait(Deadline deadline) {
        Duration wanted = fetching.maxAwaitTime();
        if (wanted == null || !deadline.isSet()) {
            return wanted;
        }
        long leftMs = Math.max(deadline.remainingMs(), 1);
        return Duration.ofMillis(Math.min(wanted.toMillis(), leftMs));
    }

    private void turn() {
        position = page.documents().cursor();
        readOfPage = 0;
        countOfPage = UNCOUNTED;
    }

    private void endIfDone() {
        if (page.cursorId() != 0) {
            return;
        }
        page.server().letGo(id);
        if (ownsSession) {
            session.end();
        }
    }

    /** Closes the cursor on the server; a failure of this changes nothing. */
    private void kill(Deadline deadline) {
        long cursorId = page.cursorId();
        if (cursorId == 0) {
            return;
        }
        MongoNamespace target = page.target();
        var killCursors = CommandOperation.of(
                        "killCursors",
                        target.databaseName(),
                        CommandOperation.Traits.END_OF_CURSOR,
                        fetching.codecs(),
                        fields -> {
                            fields.put("killCursors", target.collectionName());
                            fields.writer().writeStartArray("cursors");
                            fields.writer().writeInt64(cursorId);
                            fields.writer().writeEndArray();
                        },
                        (reply, server) -> reply)
                .onServer(page.server());
        page = new CursorPage(0, page.namespace(), RawDocument.EMPTY, page.server(), page.postBatchResumeToken(), null);
        turn();
        try {
            execution.run(killCursors, session, deadline);
        } catch (MongoException e) {
            // The server closes it by itself after a while.
        } finally {
            endIfDone();
        }
    }

    @Override
    public void close() {
        close(fetching.deadlineOfClose().get());
    }

    public void close(Duration timeout) {
        close(execution.time().ofOperation(timeout));
    }

    private void close(Deadline deadline) {
        if (isClosed) {
            return;
        }
        isClosed = true;
        current = null;
        kill(deadline);
        if (ownsSession) {
            session.end();
        }
    }
}

package dev.semel.server.cursor;

import dev.semel.server.auth.Privilege;
import dev.semel.server.auth.UserDigest;
import dev.semel.server.command.Call;
import dev.semel.server.command.Excerpt;
import dev.semel.server.session.OpenTransaction;
import dev.semel.server.session.SessionId;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.spill.SpillSpace;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A result that a client has not taken completely. At most one {@code getMore} uses it at a time; it may be killed at any
 * time, by others too.
 */
final class Cursor {
    /** 0 until it is registered: most results end with their first batch and need none. */
    private long id;

    // Set when it is registered.
    private String planSummary = "";
    private RawDocument command = RawDocument.EMPTY;

    private final Namespace namespace;
    private final @Nullable UserDigest owner;
    private final List<Privilege> demanded;
    private final @Nullable SessionId session;
    private final @Nullable OpenTransaction transaction;
    private final boolean timesOut;
    private final long atClusterTime;
    private final Documents documents;
    private final long openedNanos;

    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private @Nullable Call user;
    private @Nullable CommandException killed;
    private boolean closed;
    private long lastUseNanos;
    private long returned;
    private long batches;

    /** What is left of the time that its opener was given; without end if it was given none. Belongs to the user. */
    private long leftNanos;

    /** Read, and did not fit its batch. Belongs to the user. */
    private @Nullable Leftover putBack;

    /** From where to go on without this cursor. Belongs to the user. */
    private @Nullable RawDocument resumeToken;

    /** What it keeps while it is idle. Belongs to the user, or to the thread that closes it. */
    private final CursorMemory.Held memory;

    /** For a large document that did not fit its batch. */
    private final SpillSpace files;

    /** The request may be seen by what computes the result, so it is kept as long. */
    Cursor(
            Opening opening,
            Call opener,
            Documents documents,
            CursorMemory.Held memory,
            SpillSpace files,
            long nowNanos) {
        this.memory = memory;
        this.files = files;
        this.namespace = opening.namespace();
        this.owner = opener.owner();
        this.demanded = opener.demanded();
        this.session = CursorOwner.session(opener);
        this.transaction = opener.transaction();
        this.timesOut = opening.timesOut();
        this.atClusterTime = opening.atClusterTime();
        this.documents = documents;
        this.openedNanos = nowNanos;
        this.lastUseNanos = nowNanos;
        this.leftNanos = opener.maxTimeMs() == 0
                ? Long.MAX_VALUE
                : TimeUnit.MILLISECONDS.toNanos(opener.maxTimeMs()) - opener.elapsedNanos();
        this.resumeToken = documents instanceof Tail tail ? tail.resumeToken(null) : null;
    }

    long id() {
        return id;
    }

    /** Once, before others can find it. */
    void register(long newId, Call opener) {
        id = newId;
        planSummary = opener.planSummary();
        // Short, because there may be very many, and it stays when the rest has been given up.
        command = Excerpt.of(opener.shown(), Excerpt.SHORT_BYTES_MAX);
    }

    Namespace namespace() {
        return namespace;
    }

    /** Its user; null without one. */
    @Nullable
    UserDigest owner() {
        return owner;
    }

    /** The privileges that were needed to open it. */
    List<Privilege> demanded() {
        return demanded;
    }

    @Nullable
    SessionId session() {
        return session;
    }

    /** What it was opened in, and ends with; null if it stands for itself. */
    @Nullable
    OpenTransaction transaction() {
        return transaction;
    }

    boolean isOfSessionTransaction() {
        return transaction != null && transaction.dialect() == OpenTransaction.Dialect.SESSION;
    }

    /** Null for a result that has an end. */
    @Nullable
    Tail tail() {
        return documents instanceof Tail tail ? tail : null;
    }

    boolean timesOut() {
        return timesOut;
    }

    /** What every batch names to the client; 0 for nothing. */
    long atClusterTime() {
        return atClusterTime;
    }

    // ---- one batch

    /** A later batch has what the earlier ones have left; one that waits has its own time instead. */
    void limit(Call call) {
        Tail tail = tail();
        if (leftNanos != Long.MAX_VALUE && (tail == null || !tail.waits())) {
            call.limitTo(Math.max(0, leftNanos));
        }
    }

    /** A batch was found. */
    void used(long nanos) {
        if (leftNanos != Long.MAX_VALUE) {
            leftNanos -= nanos;
        }
    }

    private static boolean await(Tail tail, Duration atMost, Call call) {
        call.releaseLargeValues();
        return tail.await(atMost);
    }

    /**
     * Moves documents into the open array until the batch is full or the result at its end.
     *
     * @param waitMax how long an empty batch may wait for a first document, of a result that goes on for ever
     * @return whether the result is at its end
     */
    boolean fill(BsonWriter array, Batch batch, Duration waitMax, Call call) {
        documents.resume(call);
        Tail tail = tail();
        long began = call.elapsedNanos();
        long count = 0;
        long bytes = 0;
        while (count < batch.documentsMax()) {
            RawDocument next = take();
            if (next == null && tail != null && !tail.isOver()) {
                Duration left = waitMax.minusNanos(call.elapsedNanos() - began);
                if (count == 0 && left.isPositive() && await(tail, left, call)) {
                    continue;
                }
                resumeToken = tail.resumeToken(null);
                documents.pause();
                return filled(count, false, call);
            }
            if (next == null) {
                return filled(count, true, call);
            }
            // The first document goes in whatever its size, or the client would never get past it.
            long length = bytes + next.length();
            if (count == 0) {
                call.replyMemory().reach(length);
            } else if (length > Batch.BYTES_MAX || !call.replyMemory().tryReach(length)) {
                putBack = Leftover.of(next, memory, files);
                documents.pause();
                return filled(count, false, call);
            }
            array.add(next);
            if (tail != null) {
                resumeToken = tail.resumeToken(next);
            }
            count++;
            bytes += next.length() + Batch.INDEX_BYTES;
        }
        if (documents.atEnd()) {
            return filled(count, true, call);
        }
        documents.pause();
        return filled(count, false, call);
    }

    private boolean filled(long documents, boolean isEnd, Call call) {
        call.count(call.counters().documentsReturned, documents);
        lock.lock();
        try {
            returned += documents;
            batches++;
        } finally {
            lock.unlock();
        }
        return isEnd;
    }

    /** Behind everything that batches have held so far; null for a result that cannot be resumed. */
    @Nullable
    RawDocument resumeToken() {
        return resumeToken;
    }

    private @Nullable RawDocument take() {
        Leftover waiting = putBack;
        if (waiting == null) {
            return documents.next();
        }
        putBack = null;
        return waiting.take();
    }

    // ---- who uses it

    /** Afterwards the cursor is the call's until {@link #release}. Fails with what it was killed for. */
    void acquire(Call call) {
        lock.lock();
        try {
            CommandException why = killed;
            if (why != null) {
                throw why;
            }
            if (user != null) {
                throw new CommandException(ErrorCode.CursorInUse, "cursor id %d is already in use", id);
            }
            user = call;
        } finally {
            lock.unlock();
        }
    }

    /** What it was killed for meanwhile, or null: then it can be used again, unless this was its end. */
    @Nullable
    CommandException release(boolean isEnd, long nowNanos) {
        lock.lock();
        try {
            user = null;
            lastUseNanos = nowNanos;
            if (isEnd || killed != null) {
                close();
            }
            return killed;
        } finally {
            lock.unlock();
        }
    }

    /** Ends it, for this reason: at once, or as soon as its user notices. The first reason counts. */
    void kill(CommandException why) {
        lock.lock();
        try {
            if (killed == null) {
                killed = why;
            }
            if (user == null) {
                close();
            } else {
                user.kill(why);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends it, for this reason, unless it is in use or has ended. */
    boolean killIfIdle(CommandException why) {
        lock.lock();
        try {
            if (user != null || closed) {
                return false;
            }
            kill(why);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void close() {
        if (!closed) {
            closed = true;
            documents.close();
            forget();
            memory.close();
        }
    }

    /** What waits for the next batch, which there will not be. */
    void forget() {
        Leftover waiting = putBack;
        putBack = null;
        if (waiting != null) {
            waiting.close();
        }
    }

    // ---- what others may know

    boolean isInUse() {
        lock.lock();
        try {
            return user != null;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Zero while it is in use. */
    long idleNanos(long nowNanos) {
        lock.lock();
        try {
            return user == null ? nowNanos - lastUseNanos : 0;
        } finally {
            lock.unlock();
        }
    }

    /** Null while it is in use, and if it is gone. */
    @Nullable
    CursorReport reportIfIdle(long nowNanos) {
        lock.lock();
        try {
            if (user != null || killed != null || closed) {
                return null;
            }
            Tail tail = tail();
            return new CursorReport(
                    id,
                    namespace,
                    session,
                    planSummary,
                    Duration.ofNanos(ageNanos(nowNanos)),
                    Duration.ofNanos(nowNanos - lastUseNanos),
                    returned,
                    batches,
                    timesOut,
                    tail != null,
                    tail != null && tail.waits(),
                    command);
        } finally {
            lock.unlock();
        }
    }

    long ageNanos(long nowNanos) {
        return nowNanos - openedNanos;
    }
}

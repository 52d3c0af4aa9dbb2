package dev.semel.server.cursor;

import dev.semel.server.auth.Privilege;
import dev.semel.server.command.Call;
import dev.semel.server.failpoint.FailPoint.FailGetMoreAfterCursorCheckout;
import dev.semel.server.failpoint.Hit;
import dev.semel.server.session.OpenTransaction;
import dev.semel.server.session.Session;
import dev.semel.server.session.SessionId;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.spill.SpillSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The open cursors. Most results fit their first batch and never get in here. A cursor that was killed for a reason its
 * client has to learn, such as a dropped collection, is kept as a tombstone until the client's next {@code getMore} or
 * its expiry.
 */
public final class Cursors implements AutoCloseable {
    /** How long a batch without documents waits for one when the client does not say. */
    private static final Duration WAIT = Duration.ofSeconds(1);

    /** What a cursor takes beside documents and the command it came with. */
    private static final long CURSOR_BYTES = 8 << 10;

    private final LongSupplier nanoTime;
    private final LongSupplier randomIds;
    private final Supplier<CursorLimits> limits;
    private final CursorMemory memory;
    private final SpillSpace files;

    private final ConcurrentHashMap<Long, Cursor> cursors = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, OpenTransaction> inTransactions = new ConcurrentHashMap<>();

    /** The same by the session that opened them: its end must not look through the cursors of all others. */
    private final ConcurrentHashMap<SessionId, Set<Cursor>> ofSessions = new ConcurrentHashMap<>();

    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong timedOut = new AtomicLong();

    /** The ids are asked for by many threads and must be hard to guess. */
    public Cursors(
            LongSupplier nanoTime,
            LongSupplier randomIds,
            Supplier<CursorLimits> limits,
            MemoryPart memory,
            SpillSpace files) {
        this.nanoTime = nanoTime;
        this.randomIds = randomIds;
        this.limits = limits;
        this.memory = new CursorMemory(memory, nanoTime, this::endIfIdle);
        this.files = files;
    }

    /** Adds {@code cursor} with the first batch to a reply, and keeps what is left for {@link #more}. */
    public void open(BsonWriter reply, Opening opening, Documents documents, Call call) {
        CursorMemory.Held held = memory.open(call.client().connectionId());
        Cursor cursor = new Cursor(opening, call, documents, held, files, nanoTime.getAsLong());
        long beganNanos = call.elapsedNanos();
        boolean keep = false;
        try {
            reply.startDocument("cursor").startArray("firstBatch");
            boolean isEnd = filled(cursor, reply, opening.first(), Duration.ZERO, call) || opening.isSingleBatch();
            if (!isEnd) {
                // What computes the result may look at the command it came with, so that is kept as long, and so are
                // its conditions.
                held.grow(CURSOR_BYTES
                        + call.command().length()
                        + call.partMemory().bytes());
            }
            cursor.used(call.elapsedNanos() - beganNanos);
            keep = !isEnd;
            reply.end();
        } catch (CommandException e) {
            throw told(cursor, e);
        } finally {
            if (!keep) {
                documents.close();
                cursor.forget();
                held.close();
            }
        }
        if (keep) {
            opened.incrementAndGet();
            cursor.register(newId(), call);
            held.keep(cursor);
            add(cursor);
            endWithTransaction(cursor, call);
            endWithSession(call);
        }
        identify(reply, keep ? cursor.id() : 0, cursor);
    }

    /**
     * Adds {@code cursor} with the next batch to a reply. A cursor at its end, or one that fails, is gone.
     *
     * @return whether there is more
     */
    public boolean more(BsonWriter reply, long id, Namespace namespace, Batch batch, Call call) {
        Cursor cursor = checkOut(id, namespace, call);
        boolean keep = false;
        CommandException killed;
        try {
            failIfAsked(call);
            reply.startDocument("cursor").startArray("nextBatch");
            cursor.limit(call);
            keep = !filled(cursor, reply, batch, waitMax(cursor, call), call);
            cursor.used(call.elapsedNanos());
            reply.end();
        } catch (CommandException e) {
            throw told(cursor, e);
        } finally {
            if (!keep) {
                remove(cursor);
            }
            killed = cursor.release(!keep, nanoTime.getAsLong());
        }
        if (keep && killed != null) {
            remove(cursor);
            throw told(cursor, killed);
        }
        identify(reply, keep ? id : 0, cursor);
        return keep;
    }

    /** What fails while documents are made says so, by MongoDB's words. */
    private static boolean filled(Cursor cursor, BsonWriter reply, Batch batch, Duration waitMax, Call call) {
        try {
            return cursor.fill(reply, batch, waitMax, call);
        } catch (CommandException e) {
            throw ExecutorError.of(call, cursor.namespace(), e);
        }
    }

    private static CommandException told(Cursor cursor, CommandException failure) {
        Tail tail = cursor.tail();
        return tail == null ? failure : tail.told(failure);
    }

    private static Duration waitMax(Cursor cursor, Call call) {
        Tail tail = cursor.tail();
        if (tail == null || !tail.waits()) {
            return Duration.ZERO;
        }
        return call.maxTimeMs() > 0 ? Duration.ofMillis(call.maxTimeMs()) : WAIT;
    }

    /** What it reads is gone with the transaction. */
    private void endWithTransaction(Cursor cursor, Call call) {
        OpenTransaction inside = call.transaction();
        if (inside != null) {
            inTransactions.put(cursor.id(), inside);
            inside.onEnd(cursor.id(), () -> {
                if (remove(cursor)) {
                    cursor.kill(notFound(cursor.id()));
                }
            });
        }
    }

    /** Its end may have come meanwhile, before the new cursor could be found by it. */
    private void endWithSession(Call call) {
        Session session = call.session();
        if (session != null && session.isEnded()) {
            endSession(session.id());
        }
    }

    /** Whether it was there: a transaction that goes on keeps nothing of a cursor that is gone. */
    private boolean remove(Cursor cursor) {
        OpenTransaction inside = inTransactions.remove(cursor.id());
        if (inside != null) {
            inside.forget(cursor.id());
        }
        SessionId session = cursor.session();
        if (session != null) {
            ofSessions.computeIfPresent(session, (id, own) -> own.remove(cursor) && own.isEmpty() ? null : own);
        }
        return cursors.remove(cursor.id(), cursor);
    }

    private static void failIfAsked(Call call) {
        Hit<FailGetMoreAfterCursorCheckout> hit =
                call.failPoints().hit(FailGetMoreAfterCursorCheckout.NAME, FailGetMoreAfterCursorCheckout.class);
        if (hit == null) {
            return;
        }
        if (hit.point().closesConnection()) {
            call.cutConnection();
        }
        ErrorCode error = hit.point().error();
        if (error != null) {
            throw new CommandException(
                    error, "getMore was failed by the fail point '%s'", FailGetMoreAfterCursorCheckout.NAME);
        }
    }

    private static void identify(BsonWriter reply, long id, Cursor cursor) {
        RawDocument token = cursor.resumeToken();
        if (token != null) {
            reply.put("postBatchResumeToken", token);
        }
        if (cursor.atClusterTime() != 0) {
            reply.put("atClusterTime", new Value.Timestamp(cursor.atClusterTime()));
        }
        reply.put("id", id).put("ns", cursor.namespace().toString()).end();
    }

    private void add(Cursor cursor) {
        SessionId session = cursor.session();
        if (session != null) {
            ofSessions.compute(session, (id, others) -> {
                Set<Cursor> own = others == null ? ConcurrentHashMap.newKeySet(2) : others;
                own.add(cursor);
                return own;
            });
        }
        cursors.put(cursor.id(), cursor);
    }

    private long newId() {
        long id;
        do {
            id = randomIds.getAsLong() & Long.MAX_VALUE;
        } while (id == 0 || cursors.containsKey(id));
        return id;
    }

    // ---- who may use it

    /** What asking for more of it needs; nothing if there is no such cursor, which the caller learns anyway. */
    public List<Privilege> demands(long id) {
        Cursor cursor = cursors.get(id);
        return cursor == null ? List.of() : cursor.demanded();
    }

    /** Whether the caller's user has opened it, or it has no user. */
    public boolean isOwn(long id, Call call) {
        Cursor cursor = cursors.get(id);
        return cursor == null || Objects.equals(cursor.owner(), call.owner());
    }

    private Cursor checkOut(long id, Namespace namespace, Call call) {
        Cursor cursor = cursors.get(id);
        if (cursor == null) {
            throw notFound(id);
        }
        CursorOwner.check(cursor, namespace, call);
        Tail tail = cursor.tail();
        if (call.maxTimeMs() > 0 && (tail == null || !tail.waits())) {
            throw new CommandException(
                    ErrorCode.BadValue, "cannot set maxTimeMS on getMore command for a non-awaitData cursor");
        }
        expire(cursor);
        try {
            cursor.acquire(call);
        } catch (CommandException e) {
            if (!e.code().equals(ErrorCode.CursorInUse)) {
                remove(cursor);
            }
            throw e;
        }
        return cursor;
    }

    // ---- its end

    /** The outcome of killing a cursor. */
    public enum Killed {
        KILLED,
        NOT_FOUND
    }

    /** For {@code killCursors}, which finds those of the database that it is sent to. */
    public Killed kill(long id, String database) {
        Cursor cursor = cursors.get(id);
        if (cursor == null || !cursor.namespace().database().equals(database)) {
            return Killed.NOT_FOUND;
        }
        remove(cursor);
        if (cursor.isClosed()) {
            return Killed.NOT_FOUND;
        }
        cursor.kill(new CommandException(ErrorCode.CursorKilled, "cursor id %d was killed", id));
        return Killed.KILLED;
    }

    /** The session has ended: its cursors are gone without a trace. */
    public void endSession(SessionId session) {
        for (Cursor cursor : ofSessions.getOrDefault(session, Set.of())) {
            if (remove(cursor)) {
                cursor.kill(new CommandException(ErrorCode.CursorKilled, "the session %s has ended", session));
            }
        }
    }

    /** What they read is no longer there: their clients get the reason with the next command. */
    public void killAll(Predicate<Namespace> reading, CommandException why) {
        for (Cursor cursor : cursors.values()) {
            if (cursor.tail() == null && reading.test(cursor.namespace())) {
                cursor.kill(cursor.isOfSessionTransaction() ? conflict(why) : why);
            }
        }
    }

    /** A session's transaction that has lost what it reads has to begin again. */
    private static CommandException conflict(CommandException why) {
        return new CommandException(ErrorCode.WriteConflict, "%s. Please retry your transaction.", why.text())
                .withLabel("TransientTransactionError");
    }

    /** From time to time: ends cursors that are idle for too long, or too old. */
    public void expire() {
        cursors.values().forEach(this::expire);
    }

    /** To make room for others; not while it is being opened. */
    private boolean endIfIdle(Cursor cursor) {
        if (!cursors.containsKey(cursor.id()) || !cursor.killIfIdle(notFound(cursor.id()))) {
            return false;
        }
        if (remove(cursor)) {
            timedOut.incrementAndGet();
        }
        return true;
    }

    private void expire(Cursor cursor) {
        CursorLimits now = limits.get();
        long nanos = nanoTime.getAsLong();
        if (cursor.timesOut() && cursor.idleNanos(nanos) > now.idleTimeout().toNanos()) {
            if (remove(cursor)) {
                timedOut.incrementAndGet();
            }
            cursor.kill(notFound(cursor.id()));
        } else if (cursor.tail() == null
                && cursor.ageNanos(nanos) > now.snapshotAgeMax().toNanos()) {
            cursor.kill(new CommandException(
                    ErrorCode.SnapshotTooOld,
                    "cursor id %d has kept its snapshot for longer than cursorSnapshotMaxAge",
                    cursor.id()));
        }
    }

    private static CommandException notFound(long id) {
        return new CommandException(ErrorCode.CursorNotFound, "cursor id %d not found", id);
    }

    @Override
    public void close() {
        CommandException shutdown = new CommandException(ErrorCode.InterruptedAtShutdown, "interrupted at shutdown");
        cursors.values().forEach(each -> each.kill(shutdown));
        cursors.clear();
        ofSessions.clear();
    }

    // ---- what others may know

    /** Those that wait for their clients: of all users, or only of the caller's. */
    public List<CursorReport> idle(boolean ofAllUsers, Call call) {
        long now = nanoTime.getAsLong();
        List<CursorReport> found = new ArrayList<>();
        for (Cursor cursor : cursors.values()) {
            if (ofAllUsers || Objects.equals(cursor.owner(), call.owner())) {
                CursorReport report = cursor.reportIfIdle(now);
                if (report != null) {
                    found.add(report);
                }
            }
        }
        return found;
    }

    public CursorCounts counts() {
        long now = nanoTime.getAsLong();
        long open = 0;
        long inUse = 0;
        long withoutTimeout = 0;
        long oldest = 0;
        for (Cursor cursor : cursors.values()) {
            if (!cursor.isClosed()) {
                open++;
                inUse += cursor.isInUse() ? 1 : 0;
                withoutTimeout += cursor.timesOut() ? 0 : 1;
                oldest = Math.max(oldest, cursor.ageNanos(now));
            }
        }
        return new CursorCounts(opened.get(), timedOut.get(), open, inUse, withoutTimeout, Duration.ofNanos(oldest));
    }
}

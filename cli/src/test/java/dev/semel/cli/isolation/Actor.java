package dev.semel.cli.isolation;

import dev.semel.server.LocalConnection;
import dev.semel.server.session.SessionId;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A client that runs its statements in one transaction, at its level. A statement that waits for a lock keeps the client's
 * further ones back; one that fails ends the transaction and whatever the client still had to do.
 */
final class Actor implements AutoCloseable {
    private static final long SECONDS_MAX = 30;

    private final LocalConnection connection;
    private final Level level;
    private final int number;
    private final Deque<String> toDo = new ArrayDeque<>();
    private final List<Integer> seen = new ArrayList<>();
    private @Nullable FutureTask<RawDocument> running;
    private boolean begun;
    private boolean hasWaited;
    private @Nullable Integer failure;

    /** The number tells its session from the others'. */
    Actor(LocalConnection connection, Level level, int number) {
        this.connection = connection;
        this.level = level;
        this.number = number;
    }

    private boolean isTokumx() {
        return level != Level.STATEMENTS && level != Level.SESSION;
    }

    // ---- what it is to do

    void read(int id) {
        add("\"find\": \"c\", \"filter\": {\"_id\": " + id + "}");
    }

    /** How many documents of the group there are. */
    void count() {
        add("\"aggregate\": \"c\", \"pipeline\": [{\"$match\": {\"g\": 1}}, {\"$count\": \"v\"}], \"cursor\": {}");
    }

    void set(int id, int value) {
        update(id, "{\"$set\": {\"v\": " + value + "}}");
    }

    void increment(int id) {
        update(id, "{\"$inc\": {\"v\": 1}}");
    }

    private void update(int id, String change) {
        add("\"update\": \"c\", \"updates\": [{\"q\": {\"_id\": " + id + "}, \"u\": " + change + "}]");
    }

    void insertIntoGroup(int id) {
        add("\"insert\": \"c\", \"documents\": [{\"_id\": " + id + ", \"g\": 1}]");
    }

    void commit() {
        if (level != Level.STATEMENTS) {
            add("\"commitTransaction\": 1");
        }
    }

    void rollback() {
        add("\"abortTransaction\": 1");
    }

    private void add(String command) {
        if (failure != null) {
            return;
        }
        if (isTokumx() && !begun) {
            toDo.add("\"beginTransaction\": 1, \"isolation\": \"" + level.isolation() + "\"");
            begun = true;
        }
        toDo.add(command);
    }

    // ---- what became of it

    /** What its reads have found, in their order. */
    List<Integer> seen() {
        return seen;
    }

    boolean hasWaited() {
        return hasWaited;
    }

    /** The code of the error that has ended its transaction. */
    @Nullable
    Integer failure() {
        return failure;
    }

    // ---- doing it

    boolean isRunning() {
        return running != null && !running.isDone();
    }

    void waits() {
        hasWaited = true;
    }

    /** Starts the next statement if the one before has ended; false if there is nothing to start. */
    boolean startNext() {
        collect();
        if (running != null || toDo.isEmpty()) {
            return false;
        }
        String next = toDo.remove();
        FutureTask<RawDocument> task = new FutureTask<>(() -> run(next));
        running = task;
        Thread.ofVirtual().start(task);
        return true;
    }

    private void collect() {
        FutureTask<RawDocument> task = running;
        if (task == null || !task.isDone()) {
            return;
        }
        running = null;
        RawDocument reply = get(task);
        Integer code = code(reply);
        if (code != null) {
            failure = code;
            toDo.clear();
            if (isTokumx()) {
                run("\"rollbackTransaction\": 1");
            }
            return;
        }
        if (reply.get("cursor") instanceof Value.Doc(RawDocument cursor)
                && cursor.get("firstBatch") instanceof Value.Array(RawDocument batch)) {
            seen.add(batch.get("0") instanceof Value.Doc(RawDocument document) ? number(document.get("v")) : 0);
        }
    }

    private static RawDocument get(FutureTask<RawDocument> task) {
        try {
            return task.get(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable Integer code(RawDocument reply) {
        if (reply.get("code") instanceof Value.Int32(int code)) {
            return code;
        }
        return reply.get("writeErrors") instanceof Value.Array(RawDocument errors)
                        && errors.get("0") instanceof Value.Doc(RawDocument first)
                ? number(first.get("code"))
                : null;
    }

    private static int number(@Nullable Value value) {
        if (value instanceof Value.Int32(int number)) {
            return number;
        }
        throw new AssertionError("not a number: " + value);
    }

    private RawDocument run(String command) {
        boolean ends = command.contains("Transaction\"");
        BsonWriter out = new BsonWriter().copyAll(Json.parse("{" + command + "}"));
        if (level == Level.SESSION) {
            out.put("lsid", SessionId.of(new UUID(number, 0)).toDocument())
                    .put("txnNumber", 1L)
                    .put("autocommit", false);
            if (!begun) {
                out.put("startTransaction", true);
            }
            begun = true;
        }
        return connection.run(out.put("$db", ends && level == Level.SESSION ? "admin" : "test")
                .finish());
    }

    @Override
    public void close() {
        connection.close();
    }
}

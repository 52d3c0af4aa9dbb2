package dev.semel.bench.held;

import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the background threads of a server do for what clients hold: {@code Housekeeping [SESSIONS [CURSORS [COMMANDS]]]}. Three
 * measurements: the pass of the housekeeping thread while many commands wait for long, the expiry of many sessions at once
 * beside open cursors, and the removal of retry records. Uses only what every version of the server has, so the same classes run
 * with the jar of an earlier one.
 */
public final class Housekeeping {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int SESSIONS_PER_COMMAND = 10_000;
    private static final int REMOVAL_PERIOD_SECS = 60;
    private static final int REMOVAL_PASSES = 2;
    private static final int SAMPLES = 4_000;
    private static final byte UUID_SUBTYPE = 4;

    private Housekeeping() {}

    public static void main(String[] arguments) throws IOException {
        int sessions = number(arguments, 0, 1_000_000);
        int cursors = number(arguments, 1, 2_000);
        int commands = number(arguments, 2, 1_000);
        if (commands > 0) {
            measurePass(commands);
        }
        if (sessions > 0) {
            measureExpiry(sessions, cursors);
            measureRemoval(sessions);
        }
    }

    private static int number(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    private static void print(String text, Object... values) {
        System.out.printf(Locale.ROOT, text + "%n", values);
    }

    // ---- commands that wait for long

    /** The thread waits for a second after each pass, so the share of samples within a pass says how long it is. */
    private static void measurePass(int commands) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try (Server server = Server.start(ServerOptions.memory().port(0).slowOperationMs(Integer.MAX_VALUE))) {
            for (int i = 0; i < commands; i++) {
                sockets.add(waiting(server.address()));
            }
            long id = thread("semel-housekeeping");
            pause(10);
            int busy = 0;
            for (int i = 0; i < SAMPLES; i++) {
                busy += isBetweenPasses(id) ? 0 : 1;
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
            double share = (double) busy / SAMPLES;
            print("pass beside %,d waiting commands: %,.0f ms", commands, share / (1 - share) * 1_000);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static boolean isBetweenPasses(long id) {
        for (StackTraceElement frame :
                THREADS.getThreadInfo(id, Integer.MAX_VALUE).getStackTrace()) {
            if (frame.getClassName().equals("java.util.concurrent.CountDownLatch")) {
                return true;
            }
        }
        return false;
    }

    /** A connection on which a change stream waits. */
    private static Socket waiting(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        Socket socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        MessageWriter writer = new MessageWriter(socket.getOutputStream());
        BsonWriter watch = new BsonWriter().put("aggregate", "idle").startArray("pipeline");
        watch.startDocument().startDocument("$changeStream").end().end().end();
        send(writer, watch.startDocument("cursor").end());
        Frame frame = new MessageReader(socket.getInputStream()).read();
        if (frame == null || !(frame.message() instanceof OpMsg reply)) {
            throw new IOException("no reply");
        }
        if (!(inner(reply.body(), "cursor").get("id") instanceof Value.Int64(long id))) {
            throw new IOException("no cursor: " + reply.body());
        }
        send(
                writer,
                new BsonWriter().put("getMore", id).put("collection", "idle").put("maxTimeMS", 600_000));
        return socket;
    }

    private static void send(MessageWriter writer, BsonWriter command) throws IOException {
        writer.write(OpMsg.of(1, 0, command.put("$db", "test").finish()), Compressor.NONE);
    }

    // ---- sessions

    /** All are used for the last time within the same few seconds. */
    private static void measureExpiry(int sessions, int cursors) throws IOException {
        ServerOptions options =
                ServerOptions.memory().inProcess().parameters(Map.of("localLogicalSessionTimeoutMinutes", "1"));
        try (Server server = Server.start(options);
                LocalConnection connection = server.connect()) {
            openCursors(cursors, connection);
            for (int i = 0; i < sessions; i += SESSIONS_PER_COMMAND) {
                BsonWriter refresh = new BsonWriter().startArray("refreshSessions");
                for (int j = i; j < Math.min(sessions, i + SESSIONS_PER_COMMAND); j++) {
                    refresh.startDocument().put("id", id(j)).end();
                }
                run(connection, refresh.end());
            }
            long full = activeSessions(connection);
            long thread = thread("semel-housekeeping");
            long cpu = THREADS.getThreadCpuTime(thread);
            while (activeSessions(connection) >= full) {
                pause(0.05);
            }
            long begun = System.nanoTime();
            while (activeSessions(connection) > 0) {
                pause(0.05);
            }
            print(
                    "expiry of %,d sessions beside %,d cursors: %.1f s, %.1f s of processor",
                    full, cursors, (System.nanoTime() - begun) / 1e9, (THREADS.getThreadCpuTime(thread) - cpu) / 1e9);
        }
    }

    private static void openCursors(int count, LocalConnection connection) {
        BsonWriter insert = new BsonWriter().put("insert", "read").startArray("documents");
        insert.startDocument().put("_id", 1).end().startDocument().put("_id", 2).end();
        run(connection, insert.end());
        for (int i = 0; i < count; i++) {
            run(
                    connection,
                    new BsonWriter().put("find", "read").put("batchSize", 1).put("noCursorTimeout", true));
        }
    }

    private static Value id(int number) {
        return new Value.Binary(
                UUID_SUBTYPE,
                ByteBuffer.allocate(16)
                        .putLong(mixed(number))
                        .putLong(mixed(~number))
                        .array());
    }

    /** As random as what clients choose. */
    private static long mixed(int number) {
        return new SplittableRandom(number).nextLong();
    }

    private static long activeSessions(LocalConnection connection) {
        RawDocument status = run(connection, new BsonWriter().put("serverStatus", 1));
        RawDocument cache = inner(status, "logicalSessionRecordCache");
        return switch (cache.get("activeSessionsCount")) {
            case Value.Int32(int count) -> count;
            case Value.Int64(long count) -> count;
            case null, default -> throw new IllegalStateException(cache.toString());
        };
    }

    // ---- retry records

    private static void measureRemoval(int sessions) throws IOException {
        try (Server server = Server.start(ServerOptions.memory().inProcess());
                LocalConnection connection = server.connect()) {
            long thread = thread("semel-records");
            for (int i = 0; i < sessions; i++) {
                run(
                        connection,
                        new BsonWriter()
                                .put("insert", "written")
                                .startArray("documents")
                                .startDocument()
                                .put("_id", i)
                                .end()
                                .end()
                                .startDocument("lsid")
                                .put("id", id(i))
                                .end()
                                .put("txnNumber", 1L));
            }
            long cpu = THREADS.getThreadCpuTime(thread);
            pause(REMOVAL_PASSES * REMOVAL_PERIOD_SECS);
            print(
                    "removal of records beside %,d sessions: %.0f ms of processor per pass",
                    sessions, (THREADS.getThreadCpuTime(thread) - cpu) / 1e6 / REMOVAL_PASSES);
        }
    }

    // ---- the rest

    private static void pause(double seconds) {
        long until = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < until) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }

    private static long thread(String name) {
        for (ThreadInfo each : THREADS.dumpAllThreads(false, false, 0)) {
            if (each.getThreadName().equals(name)) {
                return each.getThreadId();
            }
        }
        throw new IllegalStateException("no thread " + name);
    }

    private static RawDocument run(LocalConnection connection, BsonWriter command) {
        RawDocument reply = connection.run(command.put("$db", "admin").finish());
        if (!Value.of(1.0).equals(reply.get("ok"))) {
            throw new IllegalStateException(reply.toString());
        }
        return reply;
    }

    private static RawDocument inner(RawDocument document, String field) {
        if (!(document.get(field) instanceof Value.Doc(RawDocument inner))) {
            throw new IllegalStateException(field + " is not in " + document);
        }
        return inner;
    }
}

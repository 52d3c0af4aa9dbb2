package dev.semel.bench.held;

import com.sun.management.OperatingSystemMXBean;
import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What an update costs while change streams wait on other collections, and what it costs without them: {@code IdleStreams
 * [STREAMS [UPDATES [ROUNDS]]]}. In memory and without sockets, so that nothing else counts; the processor's time is that of the
 * whole process, the waking of streams included.
 */
public final class IdleStreams {
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final int AWAIT_MS = 600_000;
    private static final int WARM_UP_UPDATES = 10_000;

    /** Between updates, for the streams that one has woken: otherwise several share one wakeup. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private IdleStreams() {}

    public static void main(String[] arguments) throws IOException {
        int streams = number(arguments, 0, 1_500);
        int updates = number(arguments, 1, 400);
        int rounds = number(arguments, 2, 5);
        try (Server server = Server.start(ServerOptions.memory().inProcess());
                LocalConnection writer = server.connect()) {
            run(
                    writer,
                    new BsonWriter()
                            .put("insert", "busy")
                            .startArray("documents")
                            .startDocument()
                            .put("_id", 1)
                            .end()
                            .end());
            measure("warm-up", WARM_UP_UPDATES, 0, writer);
            for (int round = 0; round < rounds; round++) {
                measure("0 streams", updates, PAUSE_NANOS, writer);
            }
            open(streams, server);
            for (int round = 0; round < rounds; round++) {
                measure(streams + " streams", updates, PAUSE_NANOS, writer);
            }
        }
    }

    private static int number(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    private static void measure(String name, int updates, long pauseNanos, LocalConnection writer) {
        long cpu = PROCESS.getProcessCpuTime();
        for (int i = 0; i < updates; i++) {
            run(
                    writer,
                    new BsonWriter()
                            .put("update", "busy")
                            .startArray("updates")
                            .startDocument()
                            .startDocument("q")
                            .put("_id", 1)
                            .end()
                            .startDocument("u")
                            .startDocument("$inc")
                            .put("n", 1)
                            .end()
                            .end()
                            .end()
                            .end());
            LockSupport.parkNanos(pauseNanos);
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %.0f µs of processor per update%n",
                name,
                (PROCESS.getProcessCpuTime() - cpu) / 1e3 / updates);
    }

    /** Each waits on its own collection. */
    private static void open(int streams, Server server) {
        for (int i = 0; i < streams; i++) {
            LocalConnection connection = server.connect();
            String collection = "idle" + i;
            RawDocument opened = run(
                    connection,
                    new BsonWriter()
                            .put("aggregate", collection)
                            .startArray("pipeline")
                            .startDocument()
                            .startDocument("$changeStream")
                            .end()
                            .end()
                            .end()
                            .startDocument("cursor")
                            .end());
            if (!(opened.get("cursor") instanceof Value.Doc(RawDocument cursor)
                    && cursor.get("id") instanceof Value.Int64(long id))) {
                throw new IllegalStateException("no cursor: " + opened);
            }
            RawDocument getMore = new BsonWriter()
                    .put("getMore", id)
                    .put("collection", collection)
                    .put("maxTimeMS", AWAIT_MS)
                    .put("$db", "test")
                    .finish();
            // Ended by the server's end.
            Thread.ofVirtual().start(() -> connection.run(getMore));
        }
        // One that has not come to wait yet costs less than one that does.
        long settled = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        while (System.nanoTime() < settled) {
            Thread.onSpinWait();
        }
    }

    private static RawDocument run(LocalConnection connection, BsonWriter command) {
        RawDocument reply = connection.run(command.put("$db", "test").finish());
        if (!Value.of(1.0).equals(reply.get("ok"))) {
            throw new IllegalStateException(reply.toString());
        }
        return reply;
    }
}

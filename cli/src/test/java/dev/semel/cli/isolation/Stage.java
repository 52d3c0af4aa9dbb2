package dev.semel.cli.isolation;

import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lets clients run statements in turn. A turn ends when the client's statement has ended, or waits for a lock. */
final class Stage implements AutoCloseable {
    private static final long SECONDS_MAX = 30;

    private final Server server;
    private final Level level;
    private final LocalConnection observer;
    private final List<Actor> actors = new ArrayList<>();

    Stage(Level level) throws IOException {
        this.server = Server.start(ServerOptions.memory().inProcess());
        this.level = level;
        this.observer = server.connect();
        observe("{\"insert\": \"c\", \"documents\": [{\"_id\": 1, \"v\": 0}, {\"_id\": 2, \"v\": 0}]}");
    }

    Actor actor() {
        return join(level);
    }

    /** A client that can roll back; single statements cannot. */
    Actor writer() {
        return join(level == Level.STATEMENTS ? Level.MVCC : level);
    }

    private Actor join(Level own) {
        Actor actor = new Actor(server.connect(), own, actors.size() + 1);
        actors.add(actor);
        return actor;
    }

    void step(Actor actor, Consumer<Actor> what) {
        what.accept(actor);
        settle();
    }

    /** Until every client has finished its statements or waits. */
    private void settle() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        boolean any = true;
        while (any) {
            any = false;
            for (Actor each : actors) {
                any |= each.startNext();
            }
            while (running() > waiting()) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("somebody neither waits nor ends");
                }
                LockSupport.parkNanos(1_000_000);
            }
            actors.stream().filter(Actor::isRunning).forEach(Actor::waits);
        }
    }

    private long running() {
        return actors.stream().filter(Actor::isRunning).count();
    }

    private long waiting() {
        return observe("{\"showPendingLockRequests\": 1}").get("requests") instanceof Value.Array(RawDocument requests)
                ? requests.size()
                : 0;
    }

    private RawDocument observe(String command) {
        return observer.run(
                new BsonWriter().copyAll(Json.parse(command)).put("$db", "test").finish());
    }

    // ---- what came of it

    Anomaly.Result result() {
        settle();
        List<@Nullable List<Integer>> seen = new ArrayList<>();
        for (Actor each : actors) {
            seen.add(each.failure() == null ? each.seen() : null);
        }
        return new Anomaly.Result(value(1), value(2), seen);
    }

    private int value(int id) {
        RawDocument reply = observe("{\"find\": \"c\", \"filter\": {\"_id\": " + id + "}}");
        if (reply.get("cursor") instanceof Value.Doc(RawDocument cursor)
                && cursor.get("firstBatch") instanceof Value.Array(RawDocument batch)
                && batch.get("0") instanceof Value.Doc(RawDocument document)
                && document.get("v") instanceof Value.Int32(int value)) {
            return value;
        }
        throw new AssertionError(reply);
    }

    /** By what the anomaly was prevented, if it was. */
    String prevention() {
        for (Actor each : actors) {
            if (each.failure() != null) {
                return "no: error " + each.failure();
            }
        }
        return actors.stream().anyMatch(Actor::hasWaited) ? "no: waits" : "no";
    }

    @Override
    public void close() {
        actors.forEach(Actor::close);
        observer.close();
        server.close();
    }
}

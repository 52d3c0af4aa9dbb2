package dev.semel.blackpipe.audit;

import static dev.semel.blackpipe.message.Match.command;

import dev.semel.blackpipe.message.Replies;
import dev.semel.blackpipe.message.Request;
import dev.semel.blackpipe.script.ScriptedServer;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** All of a database that a counter needs: it adds one for every update, and knows the retryable ones by their numbers. */
final class ScriptedCounter implements AutoCloseable {
    private static final RawDocument UPDATED =
            new BsonWriter().put("ok", 1.0).put("n", 1).put("nModified", 1).finish();

    private final ScriptedServer server = ScriptedServer.start();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> counters = new HashMap<>();
    private final Set<String> known = new HashSet<>();

    ScriptedCounter() throws IOException {
        server.always(command("update"), this::update).always(command("dropDatabase"), request -> Replies.ok());
    }

    String uri() {
        return server.uri();
    }

    private RawDocument update(Request request) {
        lock.lock();
        try {
            Value session = request.get("lsid");
            Value number = request.get("txnNumber");
            if (session == null || number == null || known.add(Json.canonical(session) + Json.canonical(number))) {
                counters.merge(request.database(), 1, Integer::sum);
            }
            return UPDATED;
        } finally {
            lock.unlock();
        }
    }

    long count(String database) {
        lock.lock();
        try {
            return counters.getOrDefault(database, 0);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}

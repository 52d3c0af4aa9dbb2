package dev.semel.blackpipe.script;

import dev.semel.blackpipe.message.Request;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Message;
import java.time.InstantSource;

/** Answers handshakes and heartbeats, including awaitable and streamed {@code hello}. */
final class HelloResponder {
    private static final int WIRE_VERSION_MAX = 21;

    private final Announcement announcement;
    private final ObjectId process;
    private final InstantSource clock;

    HelloResponder(Announcement announcement, ObjectId process, InstantSource clock) {
        this.announcement = announcement;
        this.process = process;
        this.clock = clock;
    }

    void answer(Request request, ScriptedConnection connection) throws InterruptedException {
        boolean streams = request.frame().message() instanceof Message.OpMsg msg && msg.exhaustAllowed();
        if (!(request.get("topologyVersion.counter") instanceof Value.Int64(long known))) {
            connection.send(connection.frame(request, 0, hello(request, announcement.now())));
            return;
        }
        long maxAwaitMs = request.get("maxAwaitTimeMS") instanceof Value.Int32(int given) ? given : 10_000;
        boolean open = true;
        for (long told = known; open; ) {
            announcement.awaitAfter(told, maxAwaitMs);
            // What is told is what was sent: it may change again before the reply has left.
            Announcement.Version now = announcement.now();
            int flags = streams ? Message.OpMsg.MORE_TO_COME : 0;
            open = connection.send(connection.frame(request, flags, hello(request, now))) && streams;
            told = now.counter();
        }
    }

    private RawDocument hello(Request request, Announcement.Version now) {
        BsonWriter reply = new BsonWriter().put("helloOk", true);
        reply.startDocument("topologyVersion")
                .put("processId", new Value.Oid(process))
                .put("counter", now.counter())
                .end();
        now.identity().describe(reply, !request.name().equals("hello"));
        return reply.put("maxBsonObjectSize", Limits.DOCUMENT_BYTES_MAX)
                .put("maxMessageSizeBytes", Limits.MESSAGE_BYTES_MAX)
                .put("maxWriteBatchSize", Limits.WRITE_BATCH_MAX)
                .put("localTime", new Value.Date(clock.millis()))
                .put("logicalSessionTimeoutMinutes", 30)
                .put("connectionId", request.connection())
                .put("minWireVersion", 0)
                .put("maxWireVersion", WIRE_VERSION_MAX)
                .put("readOnly", false)
                .put("ok", 1.0)
                .finish();
    }
}

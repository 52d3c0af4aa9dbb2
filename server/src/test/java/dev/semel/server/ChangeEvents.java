package dev.semel.server;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** The events of a change stream of the whole server, or the error that it ends with, as texts. */
final class ChangeEvents {
    private ChangeEvents() {}

    /** From this cluster time on. */
    static List<String> after(Server server, long clusterTime) {
        return of(server, new BsonWriter().put("startAtOperationTime", new Value.Timestamp(clusterTime)));
    }

    /** Those that follow the one with this token. */
    static List<String> after(Server server, RawDocument token) {
        return of(server, new BsonWriter().put("resumeAfter", token));
    }

    private static List<String> of(Server server, BsonWriter start) {
        RawDocument stage = new BsonWriter()
                .startDocument("$changeStream")
                .copyAll(start.put("allChangesForCluster", true)
                        .put("showExpandedEvents", true)
                        .put("fullDocument", "updateLookup")
                        .finish())
                .end()
                .finish();
        try (LocalConnection connection = server.connect()) {
            RawDocument reply = connection.run(new BsonWriter()
                    .put("aggregate", 1)
                    .startArray("pipeline")
                    .add(stage)
                    .end()
                    .startDocument("cursor")
                    .put("batchSize", 100_000)
                    .end()
                    .put("$readPreference", NodePicture.ANY_MEMBER)
                    .put("$db", "admin")
                    .finish());
            return all(reply, connection);
        }
    }

    private static List<String> all(RawDocument first, LocalConnection connection) {
        List<String> events = new ArrayList<>();
        RawDocument reply = first;
        String batch = "firstBatch";
        while (reply.get("cursor") instanceof Value.Doc(RawDocument cursor)) {
            List<RawDocument> next = NodePicture.documents(cursor, batch);
            next.forEach(each -> events.add(Shell.text(each)));
            if (next.isEmpty() && batch.equals("nextBatch")) {
                kill(cursor, connection);
                return events;
            }
            batch = "nextBatch";
            reply = connection.run(new BsonWriter()
                    .put("getMore", id(cursor))
                    .put("collection", "$cmd.aggregate")
                    .put("maxTimeMS", 1)
                    .put("$db", "admin")
                    .finish());
        }
        events.add("error " + reply.get("code"));
        return events;
    }

    private static Value id(RawDocument cursor) {
        Value id = cursor.get("id");
        if (id == null) {
            throw new AssertionError("no cursor: " + cursor);
        }
        return id;
    }

    private static void kill(RawDocument cursor, LocalConnection connection) {
        connection.run(new BsonWriter()
                .put("killCursors", "$cmd.aggregate")
                .startArray("cursors")
                .add(id(cursor))
                .end()
                .put("$db", "admin")
                .finish());
    }
}

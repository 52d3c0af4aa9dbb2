package dev.semel.server.commands;

import dev.semel.server.command.Call;
import dev.semel.server.cursor.CursorReport;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.status.ProcessInfo;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Describes the cursors that wait for their clients, one document for each, for {@code $currentOp}. */
final class IdleCursors {
    private final Cursors cursors;
    private final InstantSource clock;
    private final ProcessInfo process;

    IdleCursors(Cursors cursors, InstantSource clock, ProcessInfo process) {
        this.cursors = cursors;
        this.clock = clock;
        this.process = process;
    }

    List<RawDocument> describe(boolean ofAllUsers, Call call) {
        Instant now = clock.instant();
        return cursors.idle(ofAllUsers, call).stream()
                .map(each -> describe(each, now))
                .toList();
    }

    private RawDocument describe(CursorReport cursor, Instant now) {
        BsonWriter out = new BsonWriter()
                .put("type", "idleCursor")
                .put("host", process.host())
                .put("ns", cursor.namespace().toString());
        if (cursor.session() != null) {
            out.put("lsid", cursor.session().toDocument());
        }
        if (!cursor.planSummary().isEmpty()) {
            out.put("planSummary", cursor.planSummary());
        }
        return out.startDocument("cursor")
                .put("cursorId", cursor.id())
                .put("createdDate", new Value.Date(now.minus(cursor.age()).toEpochMilli()))
                .put("lastAccessDate", new Value.Date(now.minus(cursor.idle()).toEpochMilli()))
                .put("nDocsReturned", cursor.documents())
                .put("nBatchesReturned", cursor.batches())
                .put("noCursorTimeout", !cursor.timesOut())
                .put("tailable", cursor.isTailable())
                .put("awaitData", cursor.awaitsData())
                .put("originatingCommand", cursor.command())
                .end()
                .finish();
    }
}

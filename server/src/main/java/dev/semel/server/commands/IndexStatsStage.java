package dev.semel.server.commands;

import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.command.Call;
import dev.semel.server.statement.Reads;
import dev.semel.server.status.ProcessInfo;
import dev.semel.store.Snapshot;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** {@code $indexStats}: a document for each index of the pipeline's collection, with how often it was used. */
final class IndexStatsStage {
    static final String NAME = "$indexStats";

    private final Catalog catalog;
    private final Reads reads;
    private final ProcessInfo process;

    IndexStatsStage(Catalog catalog, Reads reads, ProcessInfo process) {
        this.catalog = catalog;
        this.reads = reads;
        this.process = process;
    }

    List<RawDocument> documents(Namespace namespace, Value specification, Call call) {
        if (!(specification instanceof Value.Doc(RawDocument options)) || !options.isEmpty()) {
            throw new CommandException(
                    ErrorCode.location(28803), "The $indexStats stage specification must be an empty object");
        }
        try (Snapshot snapshot = reads.open(call)) {
            Collection collection = catalog.find(namespace, snapshot);
            if (collection == null) {
                return List.of();
            }
            List<RawDocument> found = new ArrayList<>();
            for (Index each : collection.requireDocuments().shownIndexes()) {
                found.add(document(each, call));
            }
            return found;
        }
    }

    private RawDocument document(Index index, Call call) {
        RawDocument spec = index.spec().toDocument();
        BsonWriter out = new BsonWriter()
                .put("name", index.name())
                .put("key", Objects.requireNonNull(spec.get("key")))
                .put("host", process.host());
        out.startDocument("accesses")
                .put("ops", call.counters().indexUses.count(index.number()))
                .put("since", new Value.Date(process.started().toEpochMilli()))
                .end();
        return out.put("spec", spec).finish();
    }
}

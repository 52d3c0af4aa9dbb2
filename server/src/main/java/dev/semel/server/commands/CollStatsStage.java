package dev.semel.server.commands;

import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.CollectionStatistics;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.status.ProcessInfo;
import dev.semel.store.Snapshot;
import dev.semel.store.Transactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;

/** {@code $collStats}: the figures of the pipeline's collection, as one document. */
final class CollStatsStage {
    static final String NAME = "$collStats";

    private final Catalog catalog;
    private final Transactions transactions;
    private final CollectionStatistics statistics;
    private final ProcessInfo process;
    private final InstantSource clock;

    CollStatsStage(
            Catalog catalog,
            Transactions transactions,
            CollectionStatistics statistics,
            ProcessInfo process,
            InstantSource clock) {
        this.catalog = catalog;
        this.transactions = transactions;
        this.statistics = statistics;
        this.process = process;
        this.clock = clock;
    }

    RawDocument document(Namespace namespace, Arguments options, Call call) {
        RawDocument storage = options.optionalDocument("storageStats");
        boolean count = options.optionalDocument("count") != null;
        options.notHonoured("latencyStats", "queryExecStats", "operationStats");
        options.refuseUnknown();
        BsonWriter out = new BsonWriter()
                .put("ns", namespace.toString())
                .put("host", process.host())
                .put("localTime", new Value.Date(clock.millis()));
        try (Snapshot snapshot = transactions.snapshot()) {
            call.saw(snapshot);
            Collection collection = catalog.find(namespace, snapshot);
            if (collection == null && (count || storage != null)) {
                throw new CommandException(
                        ErrorCode.NamespaceNotFound,
                        "Unable to retrieve %s in $collStats stage :: caused by :: Collection [%s] not found.",
                        storage == null ? "count" : "storageStats",
                        namespace);
            }
            if (collection != null && storage != null) {
                Arguments fields = options.inner("storageStats", storage);
                long scale = fields.atLeast("scale", 1, 1);
                fields.refuseUnknown();
                out.startDocument("storageStats");
                statistics.write(out, collection, scale, call.interruption());
                out.end();
            }
            if (collection != null && count) {
                out.put("count", collection.size(call.interruption()).documents());
            }
        }
        return out.finish();
    }
}

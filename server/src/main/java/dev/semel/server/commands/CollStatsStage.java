package dev.semel.server.commands;

import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.CollectionStatistics;
import dev.semel.server.changes.OplogReads;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.statement.Reads;
import dev.semel.server.status.ProcessInfo;
import dev.semel.server.status.Usage;
import dev.semel.store.Snapshot;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** {@code $collStats}: the figures of the pipeline's collection, as one document. */
final class CollStatsStage {
    static final String NAME = "$collStats";

    private final Catalog catalog;
    private final Reads reads;
    private final CollectionStatistics statistics;
    private final OplogReads oplog;
    private final Usage usage;
    private final ProcessInfo process;
    private final InstantSource clock;

    CollStatsStage(
            Catalog catalog,
            Reads reads,
            CollectionStatistics statistics,
            OplogReads oplog,
            Usage usage,
            ProcessInfo process,
            InstantSource clock) {
        this.catalog = catalog;
        this.reads = reads;
        this.statistics = statistics;
        this.oplog = oplog;
        this.usage = usage;
        this.process = process;
        this.clock = clock;
    }

    RawDocument document(Namespace namespace, Arguments options, Call call) {
        RawDocument storage = options.optionalDocument("storageStats");
        boolean count = options.optionalDocument("count") != null;
        RawDocument latency = options.optionalDocument("latencyStats");
        options.notHonoured("queryExecStats", "operationStats");
        options.refuseUnknown();
        BsonWriter out = new BsonWriter()
                .put("ns", namespace.toString())
                .put("host", process.host())
                .put("localTime", new Value.Date(clock.millis()));
        if (latency != null) {
            out.startDocument("latencyStats");
            usage.latencies(namespace).write(histograms(options, latency), out);
            out.end();
        }
        if (oplog.has(namespace)) {
            return entries(storage, count, options, out);
        }
        try (Snapshot snapshot = reads.open(call)) {
            Collection collection = catalog.find(namespace, snapshot);
            if (collection == null && (count || storage != null)) {
                throw new CommandException(
                        ErrorCode.NamespaceNotFound,
                        "Unable to retrieve %s in $collStats stage :: caused by :: Collection [%s] not found.",
                        storage == null ? "count" : "storageStats",
                        namespace);
            }
            if (collection != null) {
                collection.requireDocuments();
            }
            if (collection != null && storage != null) {
                out.startDocument("storageStats");
                statistics.write(out, collection, Reads.size(collection, snapshot, call), scale(options, storage));
                out.end();
            }
            if (collection != null && count) {
                out.put("count", Reads.size(collection, snapshot, call).documents());
            }
        }
        return out.finish();
    }

    private static boolean histograms(Arguments options, RawDocument latency) {
        Arguments fields = options.inner("latencyStats", latency);
        boolean histograms = fields.bool("histograms", false);
        fields.refuseUnknown();
        return histograms;
    }

    private static long scale(Arguments options, RawDocument storage) {
        Arguments fields = options.inner("storageStats", storage);
        long scale = fields.atLeast("scale", 1, 1);
        fields.refuseUnknown();
        return scale;
    }

    private RawDocument entries(@Nullable RawDocument storage, boolean count, Arguments options, BsonWriter out) {
        if (storage != null) {
            out.startDocument("storageStats");
            oplog.describe(out, scale(options, storage));
            out.end();
        }
        if (count) {
            out.put("count", oplog.count());
        }
        return out.finish();
    }
}

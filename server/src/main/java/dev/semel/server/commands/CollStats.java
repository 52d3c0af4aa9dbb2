package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.CollectionStatistics;
import dev.semel.server.changes.OplogReads;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.statement.Reads;
import dev.semel.store.Snapshot;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;

/** {@code collStats}: how many documents a collection has and how much room they and its indexes take. */
final class CollStats implements Command<CollStats.Args> {
    private final Catalog catalog;
    private final Reads reads;
    private final CollectionStatistics statistics;
    private final OplogReads oplog;

    record Args(Namespace collection, long scale) {}

    CollStats(Catalog catalog, Reads reads, CollectionStatistics statistics, OplogReads oplog) {
        this.catalog = catalog;
        this.reads = reads;
        this.statistics = statistics;
        this.oplog = oplog;
    }

    @Override
    public Spec spec() {
        return Spec.of("collStats").alias("collstats").needs(Rights.onCollection(Action.collStats));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args(in.collection(in.path()), in.atLeast("scale", 1, 1));
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        BsonWriter out = new BsonWriter().put("ns", args.collection().toString());
        if (oplog.has(args.collection())) {
            oplog.describe(out, args.scale());
            return Reply.of(out);
        }
        try (Snapshot snapshot = reads.open(call)) {
            Collection collection = catalog.find(args.collection(), snapshot);
            if (collection != null) {
                collection.requireDocuments();
            }
            statistics.write(out, collection, Reads.size(collection, snapshot, call), args.scale());
        }
        return Reply.of(out);
    }
}

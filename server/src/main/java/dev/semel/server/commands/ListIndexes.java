package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Index;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.cursor.Batch;
import dev.semel.server.cursor.Collected;
import dev.semel.server.cursor.Cursors;
import dev.semel.server.cursor.Opening;
import dev.semel.server.statement.Reads;
import dev.semel.store.Snapshot;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** {@code listIndexes}: what indexes a collection has, as {@code createIndexes} would make them. */
final class ListIndexes implements Command<ListIndexes.Args> {
    private final Catalog catalog;
    private final Reads reads;
    private final Cursors cursors;

    record Args(Namespace collection, Batch batch) {}

    ListIndexes(Catalog catalog, Reads reads, Cursors cursors) {
        this.catalog = catalog;
        this.reads = reads;
        this.cursors = cursors;
    }

    @Override
    public Spec spec() {
        return Spec.of("listIndexes").with(Spec.Trait.READS_CATALOG).needs(Rights.onCollection(Action.listIndexes));
    }

    @Override
    public Args parse(Arguments in) {
        Args args = new Args(in.collection("listIndexes"), ListBatch.batch(in));
        in.notHonoured("includeBuildUUIDs", "includeIndexBuildInfo");
        return args;
    }

    @Override
    public Reply run(Args args, Call call) {
        call.worksOn(args.collection());
        List<RawDocument> found = new ArrayList<>();
        try (Snapshot snapshot = reads.open(call)) {
            Collection collection = catalog.require(args.collection(), snapshot).requireDocuments();
            for (Index each : collection.shownIndexes()) {
                found.add(described(collection, each));
            }
        }
        BsonWriter reply = new BsonWriter();
        cursors.open(reply, Opening.of(args.collection(), args.batch()), new Collected(found), call);
        return Reply.of(reply);
    }

    private static RawDocument described(Collection collection, Index index) {
        RawDocument spec = index.spec().toDocument();
        if (!index.isPrimary() || !collection.isClustered()) {
            return spec;
        }
        BsonWriter out = new BsonWriter();
        if (collection.options().get("clusteredIndex") instanceof Value.Doc(RawDocument asked)) {
            out.copyAll(asked);
        }
        return out.put("clustered", true).finish();
    }
}

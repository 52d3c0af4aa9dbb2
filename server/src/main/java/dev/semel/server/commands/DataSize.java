package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Sizes;
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
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@code dataSize}: how many documents a collection has and how many bytes. */
final class DataSize implements Command<Namespace> {
    private final Catalog catalog;
    private final Reads reads;

    DataSize(Catalog catalog, Reads reads) {
        this.catalog = catalog;
        this.reads = reads;
    }

    @Override
    public Spec spec() {
        return Spec.of("dataSize").alias("datasize").needs(Rights.BY_ARGUMENTS);
    }

    @Override
    public Namespace parse(Arguments in) {
        Namespace collection = Namespace.parse(in.requiredString(in.path()));
        in.notHonoured("keyPattern", "min", "max");
        // The figures are exact, and cost nothing outside of transactions: there is no reason to estimate them.
        in.ignored("estimate");
        return collection;
    }

    @Override
    public List<Privilege> demands(Namespace collection, Call call) {
        return List.of(Privilege.onCollection(collection, Action.find));
    }

    @Override
    public Reply run(Namespace namespace, Call call) {
        call.worksOn(namespace);
        Sizes.Total total;
        try (Snapshot snapshot = reads.open(call)) {
            Collection collection = catalog.find(namespace, snapshot);
            total = Reads.size(collection == null ? null : collection.requireDocuments(), snapshot, call);
        }
        return Reply.of(new BsonWriter()
                .put("size", total.bytes())
                .put("numObjects", total.documents())
                .put("millis", (int) TimeUnit.NANOSECONDS.toMillis(call.elapsedNanos()))
                .put("estimate", false));
    }
}

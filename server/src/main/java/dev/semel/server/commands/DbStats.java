package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Names;
import dev.semel.server.catalog.Sizes;
import dev.semel.server.catalog.StorageSizes;
import dev.semel.server.catalog.StorageSizes.Volume;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.statement.Reads;
import dev.semel.store.Snapshot;
import dev.semel.wire.bson.BsonWriter;

/** {@code dbStats}: the sums over a database's collections. */
final class DbStats implements Command<DbStats.Args> {
    private final Catalog catalog;
    private final Reads reads;
    private final StorageSizes sizes;

    record Args(String database, long scale, boolean freeStorage) {}

    DbStats(Catalog catalog, Reads reads, StorageSizes sizes) {
        this.catalog = catalog;
        this.reads = reads;
        this.sizes = sizes;
    }

    @Override
    public Spec spec() {
        return Spec.of("dbStats").alias("dbstats").needs(Rights.onDatabase(Action.dbStats));
    }

    @Override
    public Args parse(Arguments in) {
        Names.checkDatabase(in.database());
        return new Args(in.database(), in.atLeast("scale", 1, 1), in.integer("freeStorage", 0) != 0);
    }

    @Override
    public Reply run(Args args, Call call) {
        long collections = 0;
        long documents = 0;
        long bytes = 0;
        long storage = 0;
        long indexBytes = 0;
        long indexes = 0;
        long views = 0;
        try (Snapshot snapshot = reads.open(call)) {
            for (Collection each : catalog.collections(args.database(), snapshot)) {
                if (each.view() != null) {
                    views++;
                    continue;
                }
                collections++;
                Sizes.Total total = Reads.size(each, snapshot, call);
                documents += total.documents();
                bytes += total.bytes();
                storage += sizes.ofDocuments(each);
                indexBytes += sizes.ofIndexes(each);
                indexes += each.indexes().size();
            }
        }
        double scale = args.scale();
        BsonWriter out = new BsonWriter()
                .put("db", args.database())
                .put("collections", collections)
                .put("views", views)
                .put("objects", documents)
                .put("avgObjSize", documents == 0 ? 0.0 : (double) bytes / documents)
                .put("dataSize", Math.floor(bytes / scale))
                .put("storageSize", Math.floor(storage / scale))
                .put("indexes", indexes)
                .put("indexSize", Math.floor(indexBytes / scale))
                .put("totalSize", Math.floor((storage + indexBytes) / scale))
                .put("scaleFactor", args.scale());
        Volume volume = sizes.volume();
        if (volume != null) {
            out.put("fsUsedSize", Math.floor(volume.usedBytes() / scale))
                    .put("fsTotalSize", Math.floor(volume.totalBytes() / scale));
        }
        if (args.freeStorage()) {
            // Free room inside files is managed by the engine and not reported separately.
            out.put("freeStorageSize", 0.0).put("indexFreeStorageSize", 0.0).put("totalFreeStorageSize", 0.0);
        }
        return Reply.of(out);
    }
}

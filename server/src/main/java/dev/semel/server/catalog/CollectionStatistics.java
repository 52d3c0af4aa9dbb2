package dev.semel.server.catalog;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** The figures of one collection, as {@code collStats} and the stage {@code $collStats} show them. */
public final class CollectionStatistics {
    private final StorageSizes sizes;

    public CollectionStatistics(StorageSizes sizes) {
        this.sizes = sizes;
    }

    /**
     * Adds the figures.
     *
     * @param collection null if it does not exist, which has all figures zero
     * @param total its documents
     * @param scale all sizes are divided by this
     */
    public void write(BsonWriter out, @Nullable Collection collection, Sizes.Total total, long scale) {
        long storage = collection == null ? 0 : sizes.ofDocuments(collection);
        long indexes = collection == null ? 0 : sizes.ofIndexes(collection);
        out.put("size", integer(total.bytes() / scale)).put("count", integer(total.documents()));
        if (total.documents() > 0) {
            out.put("avgObjSize", integer(total.bytes() / total.documents()));
        }
        out.put("numOrphanDocs", 0)
                .put("storageSize", integer(storage / scale))
                .put("freeStorageSize", 0)
                .put("capped", isCapped(collection));
        if (collection != null && collection.order() != null) {
            Capped limits = collection.order().limits();
            out.put("max", limits.documentsMax() == 0 ? Value.of(-1) : integer(limits.documentsMax()))
                    .put("maxSize", integer(limits.bytesMax() / scale));
        }
        out.put("nindexes", collection == null ? 0 : collection.indexes().size())
                .startArray("indexBuilds")
                .end()
                .put("totalIndexSize", integer(indexes / scale))
                .put("totalSize", integer((storage + indexes) / scale))
                .startDocument("indexSizes");
        if (collection != null) {
            for (Index each : collection.indexes()) {
                out.put(each.name(), integer(sizes.ofIndex(each) / scale));
            }
        }
        out.end().put("scaleFactor", integer(scale));
    }

    private static boolean isCapped(@Nullable Collection collection) {
        return collection != null && collection.order() != null;
    }

    private static Value integer(long value) {
        return value == (int) value ? Value.of((int) value) : Value.of(value);
    }
}

package dev.semel.driver.gridfs;

import dev.semel.driver.MongoDatabase;
import dev.semel.driver.connection.Time;

/** Creates buckets. */
public final class GridFSBuckets {
    private static final int CHUNK_SIZE_BYTES = 255 * 1024;

    private GridFSBuckets() {}

    /** The bucket {@code fs}. */
    public static GridFSBucket create(MongoDatabase database) {
        return create(database, "fs");
    }

    /** The collections are {@code name.files} and {@code name.chunks}; chunks are of 255 KiB. */
    public static GridFSBucket create(MongoDatabase database, String name) {
        return new BucketView(database, name, CHUNK_SIZE_BYTES, Time.ofSystem());
    }
}

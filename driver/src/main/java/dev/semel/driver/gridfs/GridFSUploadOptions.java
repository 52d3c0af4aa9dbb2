package dev.semel.driver.gridfs;

import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** How a file is stored. */
public final class GridFSUploadOptions {
    private @Nullable Integer chunkSizeBytes;
    private @Nullable Document metadata;

    /** How large chunks are; null: as the bucket has it. */
    public @Nullable Integer getChunkSizeBytes() {
        return chunkSizeBytes;
    }

    public GridFSUploadOptions chunkSizeBytes(@Nullable Integer value) {
        if (value != null && value <= 0) {
            throw new IllegalArgumentException("chunkSizeBytes must be positive, found " + value);
        }
        chunkSizeBytes = value;
        return this;
    }

    /** Metadata of the application. */
    public @Nullable Document getMetadata() {
        return metadata;
    }

    public GridFSUploadOptions metadata(@Nullable Document value) {
        metadata = value;
        return this;
    }
}

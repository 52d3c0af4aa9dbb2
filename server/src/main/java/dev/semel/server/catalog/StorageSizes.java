package dev.semel.server.catalog;

import dev.semel.store.Store;
import dev.semel.store.Table;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How much room things take in the store, as far as the engine knows. */
public final class StorageSizes {
    private final Store store;

    public StorageSizes(Store store) {
        this.store = store;
    }

    /** What files the data is among, as the operating system has it. */
    public record Volume(long usedBytes, long totalBytes) {}

    /** Null in memory, or if the operating system does not say. */
    public @Nullable Volume volume() {
        Path directory = store.directory();
        if (directory == null) {
            return null;
        }
        try {
            FileStore files = Files.getFileStore(directory);
            return new Volume(files.getTotalSpace() - files.getUnallocatedSpace(), files.getTotalSpace());
        } catch (IOException e) {
            return null;
        }
    }

    public long ofDocuments(Collection collection) {
        return store.approximateBytes(Table.DOCUMENTS, collection.documents());
    }

    /** Of the index on {@code _id} nothing, because the documents are in its order. */
    public long ofIndex(Index index) {
        return index.isPrimary() ? 0 : store.approximateBytes(Table.INDEXES, index.range());
    }

    public long ofIndexes(Collection collection) {
        return collection.indexes().stream().mapToLong(this::ofIndex).sum();
    }

    public long ofDatabase(List<Collection> collections) {
        return collections.stream()
                .mapToLong(each -> ofDocuments(each) + ofIndexes(each))
                .sum();
    }
}

package dev.semel.server.catalog;

import dev.semel.store.Store;
import dev.semel.store.Table;
import java.util.List;

/** How much room things take in the store, as far as the engine knows. */
public final class StorageSizes {
    private final Store store;

    public StorageSizes(Store store) {
        this.store = store;
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

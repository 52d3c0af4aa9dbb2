package dev.semel.driver;

import dev.semel.driver.model.RenameCollectionOptions;
import dev.semel.driver.setting.MongoNamespace;
import org.jspecify.annotations.Nullable;

/**
 * A collection of documents that are read and written as {@code T}. Immutable and safe for all threads. Every operation also
 * exists with a session as its first argument; where null is given, it is one of its own.
 */
public interface MongoCollection<T>
        extends Configured<MongoCollection<T>>,
                CollectionReads<T>,
                CollectionWrites<T>,
                CollectionFindAndModify<T>,
                CollectionIndexes,
                Watchable {
    MongoNamespace getNamespace();

    /** The same collection with other documents. */
    <N> MongoCollection<N> withDocumentClass(Class<N> value);

    /** Does nothing if there is no such collection. */
    void drop(@Nullable ClientSession session);

    default void drop() {
        drop(null);
    }

    void renameCollection(@Nullable ClientSession session, MongoNamespace newName, RenameCollectionOptions options);

    default void renameCollection(MongoNamespace newName) {
        renameCollection(null, newName, new RenameCollectionOptions());
    }

    default void renameCollection(MongoNamespace newName, RenameCollectionOptions options) {
        renameCollection(null, newName, options);
    }

    default void renameCollection(ClientSession session, MongoNamespace newName) {
        renameCollection(session, newName, new RenameCollectionOptions());
    }
}

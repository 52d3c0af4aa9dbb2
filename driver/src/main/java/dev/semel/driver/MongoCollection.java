package dev.semel.driver;

import dev.semel.driver.model.RenameCollectionOptions;
import dev.semel.driver.setting.MongoNamespace;
import org.jspecify.annotations.Nullable;

/**
 * A collection of documents that are read and written as {@code T}. Immutable and safe for all threads. Every operation
 * also exists with a session as its first argument; {@code null} uses an implicit session.
 */
public interface MongoCollection<T>
        extends Configured<MongoCollection<T>>,
                CollectionReads<T>,
                CollectionWrites<T>,
                CollectionFindAndModify<T>,
                CollectionIndexes,
                Watchable {
    MongoNamespace getNamespace();

    /** The same collection with another document class. */
    <N> MongoCollection<N> withDocumentClass(Class<N> value);

    /** Does nothing if the collection does not exist. */
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

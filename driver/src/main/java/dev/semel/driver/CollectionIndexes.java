package dev.semel.driver;

import dev.semel.driver.model.CreateIndexOptions;
import dev.semel.driver.model.DropIndexOptions;
import dev.semel.driver.model.IndexModel;
import dev.semel.driver.model.IndexOptions;
import dev.semel.driver.model.SearchIndexModel;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** The indexes of a collection. A session of {@code null} uses an implicit session. */
public interface CollectionIndexes {
    /** The names of the indexes, in the order of the models. An index that already exists is not changed. */
    List<String> createIndexes(@Nullable ClientSession session, List<IndexModel> indexes, CreateIndexOptions options);

    default List<String> createIndexes(List<IndexModel> indexes) {
        return createIndexes(null, indexes, new CreateIndexOptions());
    }

    default List<String> createIndexes(List<IndexModel> indexes, CreateIndexOptions options) {
        return createIndexes(null, indexes, options);
    }

    default List<String> createIndexes(ClientSession session, List<IndexModel> indexes) {
        return createIndexes(session, indexes, new CreateIndexOptions());
    }

    /** The name of the index. */
    default String createIndex(@Nullable ClientSession session, Bson keys, IndexOptions options) {
        return createIndexes(session, List.of(new IndexModel(keys, options)), new CreateIndexOptions())
                .getFirst();
    }

    default String createIndex(Bson keys) {
        return createIndex(null, keys, new IndexOptions());
    }

    default String createIndex(Bson keys, IndexOptions options) {
        return createIndex(null, keys, options);
    }

    default String createIndex(ClientSession session, Bson keys) {
        return createIndex(session, keys, new IndexOptions());
    }

    <R> ListIndexesIterable<R> listIndexes(@Nullable ClientSession session, Class<R> resultClass);

    default ListIndexesIterable<Document> listIndexes() {
        return listIndexes(null, Document.class);
    }

    default <R> ListIndexesIterable<R> listIndexes(Class<R> resultClass) {
        return listIndexes(null, resultClass);
    }

    default ListIndexesIterable<Document> listIndexes(ClientSession session) {
        return listIndexes(session, Document.class);
    }

    /** Only the names. */
    ListIndexesIterable<String> listIndexNames(@Nullable ClientSession session);

    default ListIndexesIterable<String> listIndexNames() {
        return listIndexNames(null);
    }

    /** Drops an index by name; {@code *} drops all except the index on {@code _id}. */
    void dropIndex(@Nullable ClientSession session, String name, DropIndexOptions options);

    default void dropIndex(String name) {
        dropIndex(null, name, new DropIndexOptions());
    }

    default void dropIndex(String name, DropIndexOptions options) {
        dropIndex(null, name, options);
    }

    default void dropIndex(ClientSession session, String name) {
        dropIndex(session, name, new DropIndexOptions());
    }

    /** Drops an index by its keys. */
    void dropIndex(@Nullable ClientSession session, Bson keys, DropIndexOptions options);

    default void dropIndex(Bson keys) {
        dropIndex(null, keys, new DropIndexOptions());
    }

    default void dropIndex(Bson keys, DropIndexOptions options) {
        dropIndex(null, keys, options);
    }

    default void dropIndex(ClientSession session, Bson keys) {
        dropIndex(session, keys, new DropIndexOptions());
    }

    /** Drops all indexes except the one on {@code _id}. */
    default void dropIndexes(@Nullable ClientSession session, DropIndexOptions options) {
        dropIndex(session, "*", options);
    }

    default void dropIndexes() {
        dropIndexes(null, new DropIndexOptions());
    }

    default void dropIndexes(DropIndexOptions options) {
        dropIndexes(null, options);
    }

    default void dropIndexes(ClientSession session) {
        dropIndexes(session, new DropIndexOptions());
    }

    /** The names of the indexes. Needs a server that supports search indexes. */
    List<String> createSearchIndexes(List<SearchIndexModel> indexes);

    default String createSearchIndex(Bson definition) {
        return createSearchIndexes(List.of(new SearchIndexModel(definition))).getFirst();
    }

    default String createSearchIndex(String name, Bson definition) {
        return createSearchIndexes(List.of(new SearchIndexModel(name, definition)))
                .getFirst();
    }

    void updateSearchIndex(String name, Bson definition);

    /** Does nothing if the collection does not exist. */
    void dropSearchIndex(String name);

    <R> ListSearchIndexesIterable<R> listSearchIndexes(Class<R> resultClass);

    default ListSearchIndexesIterable<Document> listSearchIndexes() {
        return listSearchIndexes(Document.class);
    }
}

package dev.semel.driver;

import dev.semel.driver.model.CreateCollectionOptions;
import dev.semel.driver.model.CreateViewOptions;
import dev.semel.driver.setting.ReadPreference;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** A database. Immutable and safe for all threads. A session of {@code null} uses an implicit session. */
public interface MongoDatabase extends Configured<MongoDatabase>, Watchable {
    String getName();

    /** Returns a collection; it need not exist. */
    <T> MongoCollection<T> getCollection(String collectionName, Class<T> documentClass);

    default MongoCollection<Document> getCollection(String collectionName) {
        return getCollection(collectionName, Document.class);
    }

    /**
     * Runs a command unchanged: no transaction number is added, so after a network error the outcome is unknown.
     *
     * @param preference the read preference; that of the database is not used
     * @throws dev.semel.driver.error.MongoCommandException if the server refuses it
     */
    <R> R runCommand(@Nullable ClientSession session, Bson command, ReadPreference preference, Class<R> resultClass);

    default Document runCommand(Bson command) {
        return runCommand(null, command, ReadPreference.primary(), Document.class);
    }

    default Document runCommand(Bson command, ReadPreference preference) {
        return runCommand(null, command, preference, Document.class);
    }

    default <R> R runCommand(Bson command, Class<R> resultClass) {
        return runCommand(null, command, ReadPreference.primary(), resultClass);
    }

    default <R> R runCommand(Bson command, ReadPreference preference, Class<R> resultClass) {
        return runCommand(null, command, preference, resultClass);
    }

    default Document runCommand(ClientSession session, Bson command) {
        return runCommand(session, command, ReadPreference.primary(), Document.class);
    }

    default Document runCommand(ClientSession session, Bson command, ReadPreference preference) {
        return runCommand(session, command, preference, Document.class);
    }

    default <R> R runCommand(ClientSession session, Bson command, Class<R> resultClass) {
        return runCommand(session, command, ReadPreference.primary(), resultClass);
    }

    /** A command that returns a cursor, run unchanged when it is iterated. */
    <R> RunCursorCommandIterable<R> runCursorCommand(
            @Nullable ClientSession session, Bson command, ReadPreference preference, Class<R> resultClass);

    default RunCursorCommandIterable<Document> runCursorCommand(Bson command) {
        return runCursorCommand(null, command, ReadPreference.primary(), Document.class);
    }

    default RunCursorCommandIterable<Document> runCursorCommand(ClientSession session, Bson command) {
        return runCursorCommand(session, command, ReadPreference.primary(), Document.class);
    }

    /** A pipeline without a collection, such as one with {@code $documents}. */
    <R> AggregateIterable<R> aggregate(
            @Nullable ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass);

    default AggregateIterable<Document> aggregate(List<? extends Bson> pipeline) {
        return aggregate(null, pipeline, Document.class);
    }

    default <R> AggregateIterable<R> aggregate(List<? extends Bson> pipeline, Class<R> resultClass) {
        return aggregate(null, pipeline, resultClass);
    }

    default AggregateIterable<Document> aggregate(ClientSession session, List<? extends Bson> pipeline) {
        return aggregate(session, pipeline, Document.class);
    }

    <R> ListCollectionsIterable<R> listCollections(@Nullable ClientSession session, Class<R> resultClass);

    default ListCollectionsIterable<Document> listCollections() {
        return listCollections(null, Document.class);
    }

    default <R> ListCollectionsIterable<R> listCollections(Class<R> resultClass) {
        return listCollections(null, resultClass);
    }

    default ListCollectionsIterable<Document> listCollections(ClientSession session) {
        return listCollections(session, Document.class);
    }

    ListCollectionsIterable<String> listCollectionNames(@Nullable ClientSession session);

    default ListCollectionsIterable<String> listCollectionNames() {
        return listCollectionNames(null);
    }

    /** Only needed for a collection with options; the first write also creates a collection. */
    void createCollection(@Nullable ClientSession session, String collectionName, CreateCollectionOptions options);

    default void createCollection(String collectionName) {
        createCollection(null, collectionName, new CreateCollectionOptions());
    }

    default void createCollection(String collectionName, CreateCollectionOptions options) {
        createCollection(null, collectionName, options);
    }

    default void createCollection(ClientSession session, String collectionName) {
        createCollection(session, collectionName, new CreateCollectionOptions());
    }

    void createView(
            @Nullable ClientSession session,
            String viewName,
            String viewOn,
            List<? extends Bson> pipeline,
            CreateViewOptions options);

    default void createView(String viewName, String viewOn, List<? extends Bson> pipeline) {
        createView(null, viewName, viewOn, pipeline, new CreateViewOptions());
    }

    default void createView(String viewName, String viewOn, List<? extends Bson> pipeline, CreateViewOptions options) {
        createView(null, viewName, viewOn, pipeline, options);
    }

    default void createView(ClientSession session, String viewName, String viewOn, List<? extends Bson> pipeline) {
        createView(session, viewName, viewOn, pipeline, new CreateViewOptions());
    }

    /** Does nothing if the database does not exist. */
    void drop(@Nullable ClientSession session);

    default void drop() {
        drop(null);
    }
}

package dev.semel.driver;

import dev.semel.driver.model.ClientBulkWriteOptions;
import dev.semel.driver.model.ClientBulkWriteResult;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.setting.ClientSessionOptions;
import java.util.List;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** The operations on a whole deployment. */
public interface MongoCluster extends Configured<MongoCluster>, Watchable {
    /**
     * Returns a database; it need not exist.
     *
     * @throws IllegalArgumentException if the name is empty or has a character that no name may have
     */
    MongoDatabase getDatabase(String name);

    /** To be closed by the caller. */
    ClientSession startSession(ClientSessionOptions options);

    default ClientSession startSession() {
        return startSession(ClientSessionOptions.DEFAULT);
    }

    /** A session of {@code null} uses an implicit session, here and below. */
    <R> ListDatabasesIterable<R> listDatabases(@Nullable ClientSession session, Class<R> resultClass);

    default ListDatabasesIterable<Document> listDatabases() {
        return listDatabases(null, Document.class);
    }

    default <R> ListDatabasesIterable<R> listDatabases(Class<R> resultClass) {
        return listDatabases(null, resultClass);
    }

    default ListDatabasesIterable<Document> listDatabases(ClientSession session) {
        return listDatabases(session, Document.class);
    }

    ListDatabasesIterable<String> listDatabaseNames(@Nullable ClientSession session);

    default ListDatabasesIterable<String> listDatabaseNames() {
        return listDatabaseNames(null);
    }

    /**
     * Writes to several collections, in as few commands as the server's limits allow. Needs a server of version 8.0.
     *
     * @throws dev.semel.driver.model.ClientBulkWriteException if a statement failed or not all of them were
     *         sent; it has the partial result
     */
    ClientBulkWriteResult bulkWrite(
            @Nullable ClientSession session,
            List<? extends ClientNamespacedWriteModel> models,
            ClientBulkWriteOptions options);

    default ClientBulkWriteResult bulkWrite(List<? extends ClientNamespacedWriteModel> models) {
        return bulkWrite(null, models, new ClientBulkWriteOptions());
    }

    default ClientBulkWriteResult bulkWrite(
            List<? extends ClientNamespacedWriteModel> models, ClientBulkWriteOptions options) {
        return bulkWrite(null, models, options);
    }

    default ClientBulkWriteResult bulkWrite(ClientSession session, List<? extends ClientNamespacedWriteModel> models) {
        return bulkWrite(session, models, new ClientBulkWriteOptions());
    }
}

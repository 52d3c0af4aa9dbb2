package dev.semel.driver;

import dev.semel.driver.model.ClientBulkWriteOptions;
import dev.semel.driver.model.ClientBulkWriteResult;
import dev.semel.driver.model.ClientNamespacedWriteModel;
import dev.semel.driver.operation.ClientBulkWrite;
import dev.semel.driver.setting.ClientSessionOptions;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** The cluster with the settings of a scope. */
class ClusterView extends ConfiguredView<MongoCluster> implements MongoCluster {
    private final DoubleSupplier jitter;

    ClusterView(Scope scope, DoubleSupplier jitter) {
        super(scope);
        this.jitter = jitter;
    }

    @Override
    final MongoCluster with(Scope other) {
        return new ClusterView(other, jitter);
    }

    @Override
    public final MongoDatabase getDatabase(String name) {
        return new DatabaseView(scope(), name);
    }

    @Override
    public final ClientSession startSession(ClientSessionOptions options) {
        return new ClientSession(scope(), options, jitter);
    }

    @Override
    public final <R> ListDatabasesIterable<R> listDatabases(@Nullable ClientSession session, Class<R> resultClass) {
        return new ListDatabasesIterable<>(scope(), session, scope().codecs().get(resultClass), false);
    }

    @Override
    public final ListDatabasesIterable<String> listDatabaseNames(@Nullable ClientSession session) {
        return new ListDatabasesIterable<>(scope(), session, new NameDecoder(), true);
    }

    @Override
    public final <R> ChangeStreamIterable<R> watch(
            @Nullable ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass) {
        var target = new ChangeStreamIterable.Target("admin", null, true);
        return new ChangeStreamIterable<>(
                scope(), session, target, pipeline, scope().codecs().get(resultClass));
    }

    @Override
    public final ClientBulkWriteResult bulkWrite(
            @Nullable ClientSession session,
            List<? extends ClientNamespacedWriteModel> models,
            ClientBulkWriteOptions options) {
        var bulk = new ClientBulkWrite(models, options, scope().writeConcern(), scope().codecs());
        return scope().withSession(session, used -> bulk.run(scope().execution(), used, scope().deadline()));
    }
}

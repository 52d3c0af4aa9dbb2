package dev.semel.driver.model;

import dev.semel.driver.setting.MongoNamespace;
import java.util.List;
import org.bson.conversions.Bson;

/** One statement of a client's {@code bulkWrite}, with its collection. */
public sealed interface ClientNamespacedWriteModel {
    MongoNamespace namespace();

    record InsertOne(MongoNamespace namespace, Object document) implements ClientNamespacedWriteModel {}

    record Update(
            MongoNamespace namespace,
            Bson filter,
            WriteModel.Change update,
            ClientChangeOptions<?> options,
            boolean isMulti)
            implements ClientNamespacedWriteModel {}

    record ReplaceOne(MongoNamespace namespace, Bson filter, Object replacement, ClientReplaceOneOptions options)
            implements ClientNamespacedWriteModel {}

    record Delete(MongoNamespace namespace, Bson filter, ClientStatementOptions<?> options, boolean isMulti)
            implements ClientNamespacedWriteModel {}

    static ClientNamespacedWriteModel insertOne(MongoNamespace namespace, Object document) {
        return new InsertOne(namespace, document);
    }

    static ClientNamespacedWriteModel updateOne(MongoNamespace namespace, Bson filter, Bson update) {
        return updateOne(namespace, filter, update, new ClientUpdateOneOptions());
    }

    static ClientNamespacedWriteModel updateOne(
            MongoNamespace namespace, Bson filter, Bson update, ClientUpdateOneOptions options) {
        return new Update(namespace, filter, WriteModel.Change.of(update), options, false);
    }

    static ClientNamespacedWriteModel updateOne(MongoNamespace namespace, Bson filter, List<? extends Bson> pipeline) {
        return updateOne(namespace, filter, pipeline, new ClientUpdateOneOptions());
    }

    static ClientNamespacedWriteModel updateOne(
            MongoNamespace namespace, Bson filter, List<? extends Bson> pipeline, ClientUpdateOneOptions options) {
        return new Update(namespace, filter, WriteModel.Change.of(pipeline), options, false);
    }

    static ClientNamespacedWriteModel updateMany(MongoNamespace namespace, Bson filter, Bson update) {
        return updateMany(namespace, filter, update, new ClientUpdateManyOptions());
    }

    static ClientNamespacedWriteModel updateMany(
            MongoNamespace namespace, Bson filter, Bson update, ClientUpdateManyOptions options) {
        return new Update(namespace, filter, WriteModel.Change.of(update), options, true);
    }

    static ClientNamespacedWriteModel updateMany(MongoNamespace namespace, Bson filter, List<? extends Bson> pipeline) {
        return updateMany(namespace, filter, pipeline, new ClientUpdateManyOptions());
    }

    static ClientNamespacedWriteModel updateMany(
            MongoNamespace namespace, Bson filter, List<? extends Bson> pipeline, ClientUpdateManyOptions options) {
        return new Update(namespace, filter, WriteModel.Change.of(pipeline), options, true);
    }

    static ClientNamespacedWriteModel replaceOne(MongoNamespace namespace, Bson filter, Object replacement) {
        return new ReplaceOne(namespace, filter, replacement, new ClientReplaceOneOptions());
    }

    static ClientNamespacedWriteModel replaceOne(
            MongoNamespace namespace, Bson filter, Object replacement, ClientReplaceOneOptions options) {
        return new ReplaceOne(namespace, filter, replacement, options);
    }

    static ClientNamespacedWriteModel deleteOne(MongoNamespace namespace, Bson filter) {
        return deleteOne(namespace, filter, new ClientDeleteOneOptions());
    }

    static ClientNamespacedWriteModel deleteOne(MongoNamespace namespace, Bson filter, ClientDeleteOneOptions options) {
        return new Delete(namespace, filter, options, false);
    }

    static ClientNamespacedWriteModel deleteMany(MongoNamespace namespace, Bson filter) {
        return deleteMany(namespace, filter, new ClientDeleteManyOptions());
    }

    static ClientNamespacedWriteModel deleteMany(
            MongoNamespace namespace, Bson filter, ClientDeleteManyOptions options) {
        return new Delete(namespace, filter, options, true);
    }
}

package dev.semel.driver;

import dev.semel.driver.model.BulkWriteOptions;
import dev.semel.driver.model.BulkWriteResult;
import dev.semel.driver.model.DeleteOptions;
import dev.semel.driver.model.DeleteResult;
import dev.semel.driver.model.InsertManyOptions;
import dev.semel.driver.model.InsertManyResult;
import dev.semel.driver.model.InsertOneOptions;
import dev.semel.driver.model.InsertOneResult;
import dev.semel.driver.model.ReplaceOptions;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.model.UpdateResult;
import dev.semel.driver.model.WriteModel;
import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a collection. A session of {@code null} uses an implicit session.
 *
 * <p>A write of one statement raises {@link dev.semel.driver.error.MongoWriteException} if the server refused the
 * statement, {@link dev.semel.driver.error.MongoWriteConcernException} if it was applied but not as durably as asked
 * for, and another {@link dev.semel.driver.error.MongoException} if the server could not be reached or refused the
 * command; a write of several statements raises {@link dev.semel.driver.model.MongoBulkWriteException}, which has the
 * partial result.
 */
public interface CollectionWrites<T> {
    /** Inserts a document; generates an {@code _id} if it has none. */
    InsertOneResult insertOne(@Nullable ClientSession session, T document, InsertOneOptions options);

    default InsertOneResult insertOne(T document) {
        return insertOne(null, document, new InsertOneOptions());
    }

    default InsertOneResult insertOne(T document, InsertOneOptions options) {
        return insertOne(null, document, options);
    }

    default InsertOneResult insertOne(ClientSession session, T document) {
        return insertOne(session, document, new InsertOneOptions());
    }

    /** Inserts documents; generates an {@code _id} for each that has none. */
    InsertManyResult insertMany(
            @Nullable ClientSession session, List<? extends T> documents, InsertManyOptions options);

    default InsertManyResult insertMany(List<? extends T> documents) {
        return insertMany(null, documents, new InsertManyOptions());
    }

    default InsertManyResult insertMany(List<? extends T> documents, InsertManyOptions options) {
        return insertMany(null, documents, options);
    }

    default InsertManyResult insertMany(ClientSession session, List<? extends T> documents) {
        return insertMany(session, documents, new InsertManyOptions());
    }

    /** Updates one document with operators such as {@code $set}. */
    UpdateResult updateOne(@Nullable ClientSession session, Bson filter, Bson update, UpdateOptions options);

    default UpdateResult updateOne(Bson filter, Bson update) {
        return updateOne(null, filter, update, new UpdateOptions());
    }

    default UpdateResult updateOne(Bson filter, Bson update, UpdateOptions options) {
        return updateOne(null, filter, update, options);
    }

    default UpdateResult updateOne(ClientSession session, Bson filter, Bson update) {
        return updateOne(session, filter, update, new UpdateOptions());
    }

    /** Updates one document with an aggregation pipeline. */
    UpdateResult updateOne(
            @Nullable ClientSession session, Bson filter, List<? extends Bson> pipeline, UpdateOptions options);

    default UpdateResult updateOne(Bson filter, List<? extends Bson> pipeline) {
        return updateOne(null, filter, pipeline, new UpdateOptions());
    }

    default UpdateResult updateOne(Bson filter, List<? extends Bson> pipeline, UpdateOptions options) {
        return updateOne(null, filter, pipeline, options);
    }

    default UpdateResult updateOne(ClientSession session, Bson filter, List<? extends Bson> pipeline) {
        return updateOne(session, filter, pipeline, new UpdateOptions());
    }

    /** Not retried, because a retry could update documents that have changed in the meantime. */
    UpdateResult updateMany(@Nullable ClientSession session, Bson filter, Bson update, UpdateOptions options);

    default UpdateResult updateMany(Bson filter, Bson update) {
        return updateMany(null, filter, update, new UpdateOptions());
    }

    default UpdateResult updateMany(Bson filter, Bson update, UpdateOptions options) {
        return updateMany(null, filter, update, options);
    }

    default UpdateResult updateMany(ClientSession session, Bson filter, Bson update) {
        return updateMany(session, filter, update, new UpdateOptions());
    }

    UpdateResult updateMany(
            @Nullable ClientSession session, Bson filter, List<? extends Bson> pipeline, UpdateOptions options);

    default UpdateResult updateMany(Bson filter, List<? extends Bson> pipeline) {
        return updateMany(null, filter, pipeline, new UpdateOptions());
    }

    default UpdateResult updateMany(Bson filter, List<? extends Bson> pipeline, UpdateOptions options) {
        return updateMany(null, filter, pipeline, options);
    }

    default UpdateResult updateMany(ClientSession session, Bson filter, List<? extends Bson> pipeline) {
        return updateMany(session, filter, pipeline, new UpdateOptions());
    }

    /** The document keeps its {@code _id}. */
    UpdateResult replaceOne(@Nullable ClientSession session, Bson filter, T replacement, ReplaceOptions options);

    default UpdateResult replaceOne(Bson filter, T replacement) {
        return replaceOne(null, filter, replacement, new ReplaceOptions());
    }

    default UpdateResult replaceOne(Bson filter, T replacement, ReplaceOptions options) {
        return replaceOne(null, filter, replacement, options);
    }

    default UpdateResult replaceOne(ClientSession session, Bson filter, T replacement) {
        return replaceOne(session, filter, replacement, new ReplaceOptions());
    }

    DeleteResult deleteOne(@Nullable ClientSession session, Bson filter, DeleteOptions options);

    default DeleteResult deleteOne(Bson filter) {
        return deleteOne(null, filter, new DeleteOptions());
    }

    default DeleteResult deleteOne(Bson filter, DeleteOptions options) {
        return deleteOne(null, filter, options);
    }

    default DeleteResult deleteOne(ClientSession session, Bson filter) {
        return deleteOne(session, filter, new DeleteOptions());
    }

    /** Not retried, because a retry could delete documents that were inserted in the meantime. */
    DeleteResult deleteMany(@Nullable ClientSession session, Bson filter, DeleteOptions options);

    default DeleteResult deleteMany(Bson filter) {
        return deleteMany(null, filter, new DeleteOptions());
    }

    default DeleteResult deleteMany(Bson filter, DeleteOptions options) {
        return deleteMany(null, filter, options);
    }

    default DeleteResult deleteMany(ClientSession session, Bson filter) {
        return deleteMany(session, filter, new DeleteOptions());
    }

    /** Statements of different kinds, in as few commands as their order and the server's limits allow. */
    BulkWriteResult bulkWrite(
            @Nullable ClientSession session, List<? extends WriteModel<T>> models, BulkWriteOptions options);

    default BulkWriteResult bulkWrite(List<? extends WriteModel<T>> models) {
        return bulkWrite(null, models, new BulkWriteOptions());
    }

    default BulkWriteResult bulkWrite(List<? extends WriteModel<T>> models, BulkWriteOptions options) {
        return bulkWrite(null, models, options);
    }

    default BulkWriteResult bulkWrite(ClientSession session, List<? extends WriteModel<T>> models) {
        return bulkWrite(session, models, new BulkWriteOptions());
    }
}

package dev.semel.driver;

import dev.semel.driver.model.BulkWriteOptions;
import dev.semel.driver.model.BulkWriteResult;
import dev.semel.driver.model.ChangingOptions;
import dev.semel.driver.model.DeleteOptions;
import dev.semel.driver.model.DeleteResult;
import dev.semel.driver.model.InsertManyOptions;
import dev.semel.driver.model.InsertManyResult;
import dev.semel.driver.model.InsertOneModel;
import dev.semel.driver.model.InsertOneOptions;
import dev.semel.driver.model.InsertOneResult;
import dev.semel.driver.model.MongoBulkWriteException;
import dev.semel.driver.model.SelectingOptions;
import dev.semel.driver.model.UpdateResult;
import dev.semel.driver.model.WriteModel;
import dev.semel.driver.operation.BulkWrite;
import dev.semel.driver.operation.InsertOne;
import dev.semel.driver.setting.MongoNamespace;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonValue;
import org.bson.codecs.Codec;
import org.jspecify.annotations.Nullable;

/** The writes of a collection. All of them except single inserts are run as bulk writes. */
record Writes<T>(Scope scope, MongoNamespace namespace, Codec<T> codec) {
    InsertOneResult insertOne(@Nullable ClientSession session, T document, InsertOneOptions options) {
        return scope.run(
                new InsertOne<>(namespace, document, codec, options, scope.writeConcern(), scope.codecs()), session);
    }

    InsertManyResult insertMany(
            @Nullable ClientSession session, List<? extends T> documents, InsertManyOptions options) {
        List<WriteModel<T>> models = new ArrayList<>(documents.size());
        documents.forEach(each -> models.add(new InsertOneModel<>(each)));
        var bulkOptions = new BulkWriteOptions()
                .ordered(options.isOrdered())
                .bypassDocumentValidation(options.getBypassDocumentValidation())
                .comment(options.getComment());
        BulkWriteResult result = bulk(session, models, bulkOptions);
        return new InsertManyResult(result.wasAcknowledged(), result.inserts());
    }

    UpdateResult update(@Nullable ClientSession session, WriteModel<T> model, ChangingOptions<?> options) {
        BulkWriteResult result =
                single(session, model, all(options).bypassDocumentValidation(options.getBypassDocumentValidation()));
        BsonValue upsertedId =
                result.upserts().isEmpty() ? null : result.upserts().getFirst().id();
        return new UpdateResult(result.wasAcknowledged(), result.matchedCount(), result.modifiedCount(), upsertedId);
    }

    DeleteResult delete(@Nullable ClientSession session, WriteModel<T> model, DeleteOptions options) {
        BulkWriteResult result = single(session, model, all(options));
        return new DeleteResult(result.wasAcknowledged(), result.deletedCount());
    }

    /** Of a statement's options, those that a command has once for all its statements. */
    private static BulkWriteOptions all(SelectingOptions<?> options) {
        return new BulkWriteOptions().comment(options.getComment()).let(options.getLet());
    }

    private BulkWriteResult single(@Nullable ClientSession session, WriteModel<T> model, BulkWriteOptions options) {
        try {
            return bulk(session, List.of(model), options);
        } catch (MongoBulkWriteException e) {
            throw SingleWrite.exception(e);
        }
    }

    BulkWriteResult bulk(
            @Nullable ClientSession session, List<? extends WriteModel<T>> models, BulkWriteOptions options) {
        var bulk = new BulkWrite<>(namespace, models, options, scope.writeConcern(), codec, scope.codecs());
        return scope.withSession(session, used -> bulk.run(scope.execution(), used, scope.deadline()));
    }
}

package dev.semel.driver;

import dev.semel.driver.model.BulkWriteOptions;
import dev.semel.driver.model.BulkWriteResult;
import dev.semel.driver.model.CountOptions;
import dev.semel.driver.model.CreateIndexOptions;
import dev.semel.driver.model.DeleteManyModel;
import dev.semel.driver.model.DeleteOneModel;
import dev.semel.driver.model.DeleteOptions;
import dev.semel.driver.model.DeleteResult;
import dev.semel.driver.model.DropIndexOptions;
import dev.semel.driver.model.EstimatedDocumentCountOptions;
import dev.semel.driver.model.FindOneAndDeleteOptions;
import dev.semel.driver.model.FindOneAndReplaceOptions;
import dev.semel.driver.model.FindOneAndUpdateOptions;
import dev.semel.driver.model.IndexModel;
import dev.semel.driver.model.InsertManyOptions;
import dev.semel.driver.model.InsertManyResult;
import dev.semel.driver.model.InsertOneOptions;
import dev.semel.driver.model.InsertOneResult;
import dev.semel.driver.model.RenameCollectionOptions;
import dev.semel.driver.model.ReplaceOneModel;
import dev.semel.driver.model.ReplaceOptions;
import dev.semel.driver.model.SearchIndexModel;
import dev.semel.driver.model.UpdateManyModel;
import dev.semel.driver.model.UpdateOneModel;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.model.UpdateResult;
import dev.semel.driver.model.WriteModel;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.FindAndModify;
import dev.semel.driver.setting.MongoNamespace;
import java.util.List;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.codecs.Codec;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** A collection with the settings of a scope. Each method delegates to the responsible class. */
final class CollectionView<T> extends ConfiguredView<MongoCollection<T>> implements MongoCollection<T> {
    private final MongoNamespace namespace;
    private final Class<T> documentClass;
    private final Codec<T> codec;
    private final Writes<T> writes;

    CollectionView(Scope scope, MongoNamespace namespace, Class<T> documentClass) {
        super(scope);
        this.namespace = namespace;
        this.documentClass = documentClass;
        codec = scope.codecs().get(documentClass);
        writes = new Writes<>(scope, namespace, codec);
    }

    @Override
    MongoCollection<T> with(Scope other) {
        return new CollectionView<>(other, namespace, documentClass);
    }

    @Override
    public MongoNamespace getNamespace() {
        return namespace;
    }

    @Override
    public Class<T> getDocumentClass() {
        return documentClass;
    }

    @Override
    public <N> MongoCollection<N> withDocumentClass(Class<N> value) {
        return new CollectionView<>(scope(), namespace, value);
    }

    private <R> Decoder<R> decoder(Class<R> resultClass) {
        return scope().codecs().get(resultClass);
    }

    @Override
    public FindIterable<T> find(Bson filter) {
        return new FindIterable<>(scope(), null, namespace, codec, filter);
    }

    @Override
    public <R> FindIterable<R> find(@Nullable ClientSession session, Bson filter, Class<R> resultClass) {
        return new FindIterable<>(scope(), session, namespace, decoder(resultClass), filter);
    }

    @Override
    public <R> AggregateIterable<R> aggregate(
            @Nullable ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass) {
        return new AggregateIterable<>(
                scope(), session, namespace.databaseName(), namespace.collectionName(), pipeline, decoder(resultClass));
    }

    @Override
    public <R> DistinctIterable<R> distinct(
            @Nullable ClientSession session, String fieldName, Bson filter, Class<R> resultClass) {
        return new DistinctIterable<>(scope(), session, namespace, fieldName, filter, decoder(resultClass));
    }

    @Override
    public long countDocuments(@Nullable ClientSession session, Bson filter, CountOptions options) {
        return new Counts(scope(), namespace).exact(session, filter, options);
    }

    @Override
    public long estimatedDocumentCount(EstimatedDocumentCountOptions options) {
        return new Counts(scope(), namespace).estimated(options);
    }

    @Override
    public <R> ChangeStreamIterable<R> watch(
            @Nullable ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass) {
        var target = new ChangeStreamIterable.Target(namespace.databaseName(), namespace.collectionName(), false);
        return new ChangeStreamIterable<>(scope(), session, target, pipeline, decoder(resultClass));
    }

    @Override
    public InsertOneResult insertOne(@Nullable ClientSession session, T document, InsertOneOptions options) {
        return writes.insertOne(session, document, options);
    }

    @Override
    public InsertManyResult insertMany(
            @Nullable ClientSession session, List<? extends T> documents, InsertManyOptions options) {
        return writes.insertMany(session, documents, options);
    }

    @Override
    public UpdateResult updateOne(@Nullable ClientSession session, Bson filter, Bson update, UpdateOptions options) {
        return writes.update(session, new UpdateOneModel<>(filter, WriteModel.Change.of(update), options), options);
    }

    @Override
    public UpdateResult updateOne(
            @Nullable ClientSession session, Bson filter, List<? extends Bson> pipeline, UpdateOptions options) {
        return writes.update(session, new UpdateOneModel<>(filter, WriteModel.Change.of(pipeline), options), options);
    }

    @Override
    public UpdateResult updateMany(@Nullable ClientSession session, Bson filter, Bson update, UpdateOptions options) {
        return writes.update(session, new UpdateManyModel<>(filter, WriteModel.Change.of(update), options), options);
    }

    @Override
    public UpdateResult updateMany(
            @Nullable ClientSession session, Bson filter, List<? extends Bson> pipeline, UpdateOptions options) {
        return writes.update(session, new UpdateManyModel<>(filter, WriteModel.Change.of(pipeline), options), options);
    }

    @Override
    public UpdateResult replaceOne(
            @Nullable ClientSession session, Bson filter, T replacement, ReplaceOptions options) {
        return writes.update(session, new ReplaceOneModel<>(filter, replacement, options), options);
    }

    @Override
    public DeleteResult deleteOne(@Nullable ClientSession session, Bson filter, DeleteOptions options) {
        return writes.delete(session, new DeleteOneModel<>(filter, options), options);
    }

    @Override
    public DeleteResult deleteMany(@Nullable ClientSession session, Bson filter, DeleteOptions options) {
        return writes.delete(session, new DeleteManyModel<>(filter, options), options);
    }

    @Override
    public BulkWriteResult bulkWrite(
            @Nullable ClientSession session, List<? extends WriteModel<T>> models, BulkWriteOptions options) {
        return writes.bulk(session, models, options);
    }

    private FindAndModify<T> findAndModify() {
        return new FindAndModify<>(namespace, codec, scope().writeConcern(), scope().codecs());
    }

    @Override
    public @Nullable T findOneAndDelete(@Nullable ClientSession session, Bson filter, FindOneAndDeleteOptions options) {
        return scope().run(findAndModify().delete(filter, options), session).orElse(null);
    }

    @Override
    public @Nullable T findOneAndReplace(
            @Nullable ClientSession session, Bson filter, T replacement, FindOneAndReplaceOptions options) {
        return scope().run(findAndModify().replace(filter, replacement, codec, options), session)
                .orElse(null);
    }

    @Override
    public @Nullable T findOneAndUpdate(
            @Nullable ClientSession session, Bson filter, Bson update, FindOneAndUpdateOptions options) {
        return scope().run(findAndModify().update(filter, WriteModel.Change.of(update), options), session)
                .orElse(null);
    }

    @Override
    public @Nullable T findOneAndUpdate(
            @Nullable ClientSession session,
            Bson filter,
            List<? extends Bson> pipeline,
            FindOneAndUpdateOptions options) {
        return scope().run(findAndModify().update(filter, WriteModel.Change.of(pipeline), options), session)
                .orElse(null);
    }

    private Indexes indexes() {
        return new Indexes(scope(), namespace);
    }

    @Override
    public List<String> createIndexes(
            @Nullable ClientSession session, List<IndexModel> indexes, CreateIndexOptions options) {
        return indexes().create(session, indexes, options);
    }

    @Override
    public <R> ListIndexesIterable<R> listIndexes(@Nullable ClientSession session, Class<R> resultClass) {
        return new ListIndexesIterable<>(scope(), session, namespace, decoder(resultClass));
    }

    @Override
    public ListIndexesIterable<String> listIndexNames(@Nullable ClientSession session) {
        return new ListIndexesIterable<>(scope(), session, namespace, new NameDecoder());
    }

    @Override
    public void dropIndex(@Nullable ClientSession session, String name, DropIndexOptions options) {
        indexes().drop(session, new BsonString(name), options);
    }

    @Override
    public void dropIndex(@Nullable ClientSession session, Bson keys, DropIndexOptions options) {
        indexes().drop(session, keys.toBsonDocument(Document.class, scope().codecs()), options);
    }

    @Override
    public List<String> createSearchIndexes(List<SearchIndexModel> indexes) {
        return new SearchIndexes(scope(), namespace).create(indexes);
    }

    @Override
    public void updateSearchIndex(String name, Bson definition) {
        new SearchIndexes(scope(), namespace).update(name, definition);
    }

    @Override
    public void dropSearchIndex(String name) {
        new SearchIndexes(scope(), namespace).drop(name);
    }

    @Override
    public <R> ListSearchIndexesIterable<R> listSearchIndexes(Class<R> resultClass) {
        return new ListSearchIndexesIterable<>(scope(), namespace, decoder(resultClass));
    }

    @Override
    public void drop(@Nullable ClientSession session) {
        var operation = CommandOperation.write(
                "drop",
                namespace.databaseName(),
                scope().writeConcern(),
                scope().codecs(),
                fields -> fields.put("drop", namespace.collectionName()),
                reply -> reply);
        NamespaceErrors.ignoring(() -> scope().run(operation, session));
    }

    @Override
    public void renameCollection(
            @Nullable ClientSession session, MongoNamespace newName, RenameCollectionOptions options) {
        var operation = CommandOperation.write(
                "renameCollection",
                "admin",
                scope().writeConcern(),
                scope().codecs(),
                fields -> fields.put("renameCollection", namespace.getFullName())
                        .put("to", newName.getFullName())
                        .putIfTrue("dropTarget", options.isDropTarget())
                        .put("comment", options.getComment()),
                reply -> reply);
        scope().run(operation, session);
    }
}

package dev.semel.driver;

import dev.semel.driver.model.BulkWriteOptions;
import dev.semel.driver.model.BulkWriteResult;
import dev.semel.driver.model.CountOptions;
import dev.semel.driver.model.CreateIndexOptions;
import dev.semel.driver.model.DeleteOptions;
import dev.semel.driver.model.DeleteResult;
import dev.semel.driver.model.DropIndexOptions;
import dev.semel.driver.model.EstimatedDocumentCountOptions;
import dev.semel.driver.model.FindOneAndDeleteOptions;
import dev.semel.driver.model.FindOneAndReplaceOptions;
import dev.semel.driver.model.FindOneAndUpdateOptions;
import dev.semel.driver.model.IndexModel;
import dev.semel.driver.model.IndexOptions;
import dev.semel.driver.model.InsertManyOptions;
import dev.semel.driver.model.InsertManyResult;
import dev.semel.driver.model.InsertOneOptions;
import dev.semel.driver.model.InsertOneResult;
import dev.semel.driver.model.MongoBulkWriteException;
import dev.semel.driver.model.RenameCollectionOptions;
import dev.semel.driver.model.ReplaceOptions;
import dev.semel.driver.model.UpdateOptions;
import dev.semel.driver.model.UpdateResult;
import dev.semel.driver.model.WriteModel;
import dev.semel.driver.operation.BulkWrite;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.FindAndModify;
import dev.semel.driver.operation.InsertOne;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.WriteConcern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.codecs.Codec;
import org.bson.codecs.CollectibleCodec;
import org.bson.codecs.Decoder;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A collection of documents that are read and written as {@code T}. Immutable: {@code with...} gives another view of it. Every
 * operation also exists with a session as its first argument.
 */
public final class MongoCollection<T> {
    private final Scope scope;
    private final MongoNamespace namespace;
    private final Class<T> documentClass;
    private final Codec<T> codec;

    MongoCollection(Scope scope, MongoNamespace namespace, Class<T> documentClass) {
        this.scope = scope;
        this.namespace = namespace;
        this.documentClass = documentClass;
        codec = scope.codecs().get(documentClass);
    }

    public MongoNamespace getNamespace() {
        return namespace;
    }

    public Class<T> getDocumentClass() {
        return documentClass;
    }

    public CodecRegistry getCodecRegistry() {
        return scope.codecs();
    }

    public ReadPreference getReadPreference() {
        return scope.readPreference();
    }

    public ReadConcern getReadConcern() {
        return scope.readConcern();
    }

    public WriteConcern getWriteConcern() {
        return scope.writeConcern();
    }

    public @Nullable Duration getTimeout() {
        return scope.timeout();
    }

    public <N> MongoCollection<N> withDocumentClass(Class<N> value) {
        return new MongoCollection<>(scope, namespace, value);
    }

    public MongoCollection<T> withCodecRegistry(CodecRegistry value) {
        return new MongoCollection<>(scope.withCodecs(value), namespace, documentClass);
    }

    public MongoCollection<T> withReadPreference(ReadPreference value) {
        return new MongoCollection<>(scope.withReadPreference(value), namespace, documentClass);
    }

    public MongoCollection<T> withReadConcern(ReadConcern value) {
        return new MongoCollection<>(scope.withReadConcern(value), namespace, documentClass);
    }

    public MongoCollection<T> withWriteConcern(WriteConcern value) {
        return new MongoCollection<>(scope.withWriteConcern(value), namespace, documentClass);
    }

    public MongoCollection<T> withTimeout(@Nullable Duration value) {
        return new MongoCollection<>(scope.withTimeout(value), namespace, documentClass);
    }

    public InsertOneResult insertOne(T document) {
        return insertOne(document, new InsertOneOptions());
    }

    public InsertOneResult insertOne(ClientSession session, T document) {
        return insertOne(session, document, new InsertOneOptions());
    }

    /** Gives the document an id if it has none. */
    public InsertOneResult insertOne(T document, InsertOneOptions options) {
        return doInsertOne(null, document, options);
    }

    public InsertOneResult insertOne(ClientSession session, T document, InsertOneOptions options) {
        return doInsertOne(session, document, options);
    }

    private InsertOneResult doInsertOne(@Nullable ClientSession session, T document, InsertOneOptions options) {
        var operation = new InsertOne<>(
                namespace, document, codec, id(document), options, scope.writeConcern(), scope.codecs());
        return scope.run(operation, session);
    }

    public InsertManyResult insertMany(List<? extends T> documents) {
        return insertMany(documents, new InsertManyOptions());
    }

    public InsertManyResult insertMany(ClientSession session, List<? extends T> documents) {
        return insertMany(session, documents, new InsertManyOptions());
    }

    public InsertManyResult insertMany(List<? extends T> documents, InsertManyOptions options) {
        return doInsertMany(null, documents, options);
    }

    public InsertManyResult insertMany(ClientSession session, List<? extends T> documents, InsertManyOptions options) {
        return doInsertMany(session, documents, options);
    }

    private InsertManyResult doInsertMany(
            @Nullable ClientSession session, List<? extends T> documents, InsertManyOptions options) {
        List<WriteModel<T>> models = new ArrayList<>(documents.size());
        documents.forEach(each -> models.add(new WriteModel.InsertOneModel<>(each)));
        var bulkOptions = new BulkWriteOptions()
                .ordered(options.isOrdered())
                .bypassDocumentValidation(options.getBypassDocumentValidation())
                .comment(options.getComment());
        BulkWriteResult result = doBulkWrite(session, models, bulkOptions);
        return new InsertManyResult(result.wasAcknowledged(), result.inserts());
    }

    public UpdateResult updateOne(Bson filter, Bson update) {
        return updateOne(filter, update, new UpdateOptions());
    }

    public UpdateResult updateOne(ClientSession session, Bson filter, Bson update) {
        return updateOne(session, filter, update, new UpdateOptions());
    }

    public UpdateResult updateOne(Bson filter, Bson update, UpdateOptions options) {
        return updated(
                null,
                new WriteModel.UpdateOneModel<>(filter, WriteModel.Change.of(update), options),
                new BulkWriteOptions()
                        .bypassDocumentValidation(options.getBypassDocumentValidation())
                        .comment(options.getComment())
                        .let(options.getLet()));
    }

    public UpdateResult updateOne(ClientSession session, Bson filter, Bson update, UpdateOptions options) {
        return updated(
                session,
                new WriteModel.UpdateOneModel<>(filter, WriteModel.Change.of(update), options),
                new BulkWriteOptions()
                        .bypassDocumentValidation(options.getBypassDocumentValidation())
                        .comment(options.getComment())
                        .let(options.getLet()));
    }

    public UpdateResult updateOne(Bson filter, List<? extends Bson> pipeline) {
        return updateOne(filter, pipeline, new UpdateOptions());
    }

    public UpdateResult updateOne(ClientSession session, Bson filter, List<? extends Bson> pipeline) {
        return updateOne(session, filter, pipeline, new UpdateOptions());
    }

    public UpdateResult updateOne(Bson filter, List<? extends Bson> pipeline, UpdateOptions options) {
        return updated(
                null,
                new WriteModel.UpdateOneModel<>(filter, WriteModel.Change.of(pipeline), options),
                new BulkWriteOptions()
                        .bypassDocumentValidation(options.getBypassDocumentValidation())
                        .comment(options.getComment())
                        .let(options.getLet()));
    }

    public UpdateResult updateOne(
            ClientSession session, Bson filter, List<? extends Bson> pipeline, UpdateOptions options) {
        return updated(
                session,
                new WriteModel.UpdateOneModel<>(filter, WriteModel.Change.of(pipeline), options),
                new BulkWriteOptions()
                        .bypassDocumentValidation(options.getBypassDocumentValidation())
                        .comment(options.getComment())
                        .let(options.getLet()));
    }

    public UpdateResult updateMany(Bson filter, Bson update) {
        return updateMany(filter, update, new UpdateOptions());
    }

    public UpdateResult updateMany(ClientSession session, Bson filter, Bson update) {
        return updateMany(session, filter, update, new UpdateOptions());
    }

    public UpdateResult updateMany(Bson filter, Bson update, UpdateOptions options) {
        return updated(
                null,
                new WriteModel.UpdateManyModel<>(filter, WriteModel.Change.of(update), options),
                new BulkWriteOptions()
                        .bypassDocumentValidation(options.getBypassDocumentValidation())
                        .comment(options.getComment())
                        .let(options.getLet()));
    }

    public UpdateResult updateMany(ClientSession session, Bson filter, Bson update, UpdateOptions options) {
        return updated(
                session,
                new WriteModel.UpdateManyModel<>(filter, WriteModel.Change.of(update), options),
                new BulkWriteOptions()
                        .bypassDocumentValidation(options.getBypassDocumentValidation())
                        .comment(options.getComment())
                        .let(options.getLet()));
    }

    public UpdateResult updateMany(Bson filter, List<? extends Bson> pipeline) {
        return updateMany(filter, pipeline, new UpdateOptions());
    }

    public UpdateResult updateMany(ClientSession session, Bson filter, List<? extends Bson> pipeline) {
        return updateMany(session, filter, pipeline, new UpdateOptions());
    }

    public UpdateResult updateMany(Bson filter, List<? extends Bson> pipeline, UpdateOptions options) {
        return updated(
                null,
                new WriteModel.UpdateManyModel<>(filter, WriteModel.Change.of(pipeline), options),
                new BulkWriteOptions()
                        .bypassDocumentValidation(options.getBypassDocumentValidation())
                        .comment(options.getComment())
                        .let(options.getLet()));
    }

    public UpdateResult updateMany(
            ClientSession session, Bson filter, List<? extends Bson> pipeline, UpdateOptions options) {
        return updated(
                session,
                new WriteModel.UpdateManyModel<>(filter, WriteModel.Change.of(pipeline), options),
                new BulkWriteOptions()
                        .bypassDocumentValidation(options.getBypassDocumentValidation())
                        .comment(options.getComment())
                        .let(options.getLet()));
    }

    public UpdateResult replaceOne(Bson filter, T replacement) {
        return replaceOne(filter, replacement, new ReplaceOptions());
    }

    public UpdateResult replaceOne(ClientSession session, Bson filter, T replacement) {
        return replaceOne(session, filter, replacement, new ReplaceOptions());
    }

    public UpdateResult replaceOne(Bson filter, T replacement, ReplaceOptions options) {
        return doReplaceOne(null, filter, replacement, options);
    }

    public UpdateResult replaceOne(ClientSession session, Bson filter, T replacement, ReplaceOptions options) {
        return doReplaceOne(session, filter, replacement, options);
    }

    private UpdateResult doReplaceOne(
            @Nullable ClientSession session, Bson filter, T replacement, ReplaceOptions options) {
        return updated(
                session,
                new WriteModel.ReplaceOneModel<>(filter, replacement, options),
                new BulkWriteOptions()
                        .bypassDocumentValidation(options.getBypassDocumentValidation())
                        .comment(options.getComment())
                        .let(options.getLet()));
    }

    public DeleteResult deleteOne(Bson filter) {
        return deleteOne(filter, new DeleteOptions());
    }

    public DeleteResult deleteOne(ClientSession session, Bson filter) {
        return deleteOne(session, filter, new DeleteOptions());
    }

    public DeleteResult deleteOne(Bson filter, DeleteOptions options) {
        return doDeleteOne(null, filter, options);
    }

    public DeleteResult deleteOne(ClientSession session, Bson filter, DeleteOptions options) {
        return doDeleteOne(session, filter, options);
    }

    private DeleteResult doDeleteOne(@Nullable ClientSession session, Bson filter, DeleteOptions options) {
        return deleted(session, new WriteModel.DeleteOneModel<>(filter, options), options);
    }

    public DeleteResult deleteMany(Bson filter) {
        return deleteMany(filter, new DeleteOptions());
    }

    public DeleteResult deleteMany(ClientSession session, Bson filter) {
        return deleteMany(session, filter, new DeleteOptions());
    }

    public DeleteResult deleteMany(Bson filter, DeleteOptions options) {
        return doDeleteMany(null, filter, options);
    }

    public DeleteResult deleteMany(ClientSession session, Bson filter, DeleteOptions options) {
        return doDeleteMany(session, filter, options);
    }

    private DeleteResult doDeleteMany(@Nullable ClientSession session, Bson filter, DeleteOptions options) {
        return deleted(session, new WriteModel.DeleteManyModel<>(filter, options), options);
    }

    public BulkWriteResult bulkWrite(List<? extends WriteModel<T>> models) {
        return bulkWrite(models, new BulkWriteOptions());
    }

    public BulkWriteResult bulkWrite(ClientSession session, List<? extends WriteModel<T>> models) {
        return bulkWrite(session, models, new BulkWriteOptions());
    }

    public BulkWriteResult bulkWrite(List<? extends WriteModel<T>> models, BulkWriteOptions options) {
        return doBulkWrite(null, models, options);
    }

    public BulkWriteResult bulkWrite(
            ClientSession session, List<? extends WriteModel<T>> models, BulkWriteOptions options) {
        return doBulkWrite(session, models, options);
    }

    private BulkWriteResult doBulkWrite(
            @Nullable ClientSession session, List<? extends WriteModel<T>> models, BulkWriteOptions options) {
        Map<Integer, BsonValue> ids = new HashMap<>();
        for (int i = 0; i < models.size(); i++) {
            if (models.get(i) instanceof WriteModel.InsertOneModel<T>(T document)) {
                BsonValue id = id(document);
                if (id != null) {
                    ids.put(i, id);
                }
            }
        }
        var bulk = new BulkWrite<>(namespace, models, ids, options, scope.writeConcern(), codec, scope.codecs());
        return scope.bulk(bulk, session);
    }

    public @Nullable T findOneAndDelete(Bson filter) {
        return findOneAndDelete(filter, new FindOneAndDeleteOptions());
    }

    public @Nullable T findOneAndDelete(ClientSession session, Bson filter) {
        return findOneAndDelete(session, filter, new FindOneAndDeleteOptions());
    }

    public @Nullable T findOneAndDelete(Bson filter, FindOneAndDeleteOptions options) {
        return doFindOneAndDelete(null, filter, options);
    }

    public @Nullable T findOneAndDelete(ClientSession session, Bson filter, FindOneAndDeleteOptions options) {
        return doFindOneAndDelete(session, filter, options);
    }

    private @Nullable T doFindOneAndDelete(
            @Nullable ClientSession session, Bson filter, FindOneAndDeleteOptions options) {
        return scope.run(findAndModify().delete(filter, options), session).orElse(null);
    }

    public @Nullable T findOneAndReplace(Bson filter, T replacement) {
        return findOneAndReplace(filter, replacement, new FindOneAndReplaceOptions());
    }

    public @Nullable T findOneAndReplace(ClientSession session, Bson filter, T replacement) {
        return findOneAndReplace(session, filter, replacement, new FindOneAndReplaceOptions());
    }

    public @Nullable T findOneAndReplace(Bson filter, T replacement, FindOneAndReplaceOptions options) {
        return doFindOneAndReplace(null, filter, replacement, options);
    }

    public @Nullable T findOneAndReplace(
            ClientSession session, Bson filter, T replacement, FindOneAndReplaceOptions options) {
        return doFindOneAndReplace(session, filter, replacement, options);
    }

    private @Nullable T doFindOneAndReplace(
            @Nullable ClientSession session, Bson filter, T replacement, FindOneAndReplaceOptions options) {
        return scope.run(findAndModify().replace(filter, replacement, codec, options), session)
                .orElse(null);
    }

    public @Nullable T findOneAndUpdate(Bson filter, Bson update) {
        return findOneAndUpdate(filter, update, new FindOneAndUpdateOptions());
    }

    public @Nullable T findOneAndUpdate(ClientSession session, Bson filter, Bson update) {
        return findOneAndUpdate(session, filter, update, new FindOneAndUpdateOptions());
    }

    public @Nullable T findOneAndUpdate(Bson filter, Bson update, FindOneAndUpdateOptions options) {
        return doFindOneAndUpdate(null, filter, update, options);
    }

    public @Nullable T findOneAndUpdate(
            ClientSession session, Bson filter, Bson update, FindOneAndUpdateOptions options) {
        return doFindOneAndUpdate(session, filter, update, options);
    }

    private @Nullable T doFindOneAndUpdate(
            @Nullable ClientSession session, Bson filter, Bson update, FindOneAndUpdateOptions options) {
        return scope.run(findAndModify().update(filter, WriteModel.Change.of(update), options), session)
                .orElse(null);
    }

    public @Nullable T findOneAndUpdate(Bson filter, List<? extends Bson> pipeline) {
        return findOneAndUpdate(filter, pipeline, new FindOneAndUpdateOptions());
    }

    public @Nullable T findOneAndUpdate(ClientSession session, Bson filter, List<? extends Bson> pipeline) {
        return findOneAndUpdate(session, filter, pipeline, new FindOneAndUpdateOptions());
    }

    public @Nullable T findOneAndUpdate(Bson filter, List<? extends Bson> pipeline, FindOneAndUpdateOptions options) {
        return scope.run(findAndModify().update(filter, WriteModel.Change.of(pipeline), options), null)
                .orElse(null);
    }

    public @Nullable T findOneAndUpdate(
            ClientSession session, Bson filter, List<? extends Bson> pipeline, FindOneAndUpdateOptions options) {
        return scope.run(findAndModify().update(filter, WriteModel.Change.of(pipeline), options), session)
                .orElse(null);
    }

    public FindIterable<T> find() {
        return new FindIterable<>(scope, null, namespace, codec, null);
    }

    public FindIterable<T> find(ClientSession session) {
        return new FindIterable<>(scope, session, namespace, codec, null);
    }

    public FindIterable<T> find(Bson filter) {
        return new FindIterable<>(scope, null, namespace, codec, filter);
    }

    public FindIterable<T> find(ClientSession session, Bson filter) {
        return new FindIterable<>(scope, session, namespace, codec, filter);
    }

    public <R> FindIterable<R> find(Bson filter, Class<R> resultClass) {
        return new FindIterable<>(scope, null, namespace, scope.codecs().get(resultClass), filter);
    }

    public <R> FindIterable<R> find(ClientSession session, Bson filter, Class<R> resultClass) {
        return new FindIterable<>(scope, session, namespace, scope.codecs().get(resultClass), filter);
    }

    public AggregateIterable<T> aggregate(List<? extends Bson> pipeline) {
        return new AggregateIterable<>(
                scope, null, namespace.databaseName(), namespace.collectionName(), pipeline, codec);
    }

    public AggregateIterable<T> aggregate(ClientSession session, List<? extends Bson> pipeline) {
        return new AggregateIterable<>(
                scope, session, namespace.databaseName(), namespace.collectionName(), pipeline, codec);
    }

    public <R> AggregateIterable<R> aggregate(List<? extends Bson> pipeline, Class<R> resultClass) {
        return new AggregateIterable<>(
                scope,
                null,
                namespace.databaseName(),
                namespace.collectionName(),
                pipeline,
                scope.codecs().get(resultClass));
    }

    public <R> AggregateIterable<R> aggregate(
            ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass) {
        return new AggregateIterable<>(
                scope,
                session,
                namespace.databaseName(),
                namespace.collectionName(),
                pipeline,
                scope.codecs().get(resultClass));
    }

    public <R> DistinctIterable<R> distinct(String fieldName, Class<R> resultClass) {
        return new DistinctIterable<>(
                scope, null, namespace, fieldName, null, scope.codecs().get(resultClass));
    }

    public <R> DistinctIterable<R> distinct(ClientSession session, String fieldName, Class<R> resultClass) {
        return new DistinctIterable<>(
                scope, session, namespace, fieldName, null, scope.codecs().get(resultClass));
    }

    public <R> DistinctIterable<R> distinct(String fieldName, Bson filter, Class<R> resultClass) {
        return new DistinctIterable<>(
                scope, null, namespace, fieldName, filter, scope.codecs().get(resultClass));
    }

    public <R> DistinctIterable<R> distinct(
            ClientSession session, String fieldName, Bson filter, Class<R> resultClass) {
        return new DistinctIterable<>(
                scope, session, namespace, fieldName, filter, scope.codecs().get(resultClass));
    }

    public CommandIterable<Document> listIndexes() {
        return listed(null, scope.codecs().get(Document.class));
    }

    public CommandIterable<Document> listIndexes(ClientSession session) {
        return listed(session, scope.codecs().get(Document.class));
    }

    public long countDocuments() {
        return countDocuments(new BsonDocument(), new CountOptions());
    }

    public long countDocuments(ClientSession session) {
        return countDocuments(session, new BsonDocument(), new CountOptions());
    }

    public long countDocuments(Bson filter) {
        return countDocuments(filter, new CountOptions());
    }

    public long countDocuments(ClientSession session, Bson filter) {
        return countDocuments(session, filter, new CountOptions());
    }

    /** Counts through an aggregation, so inside transactions too. */
    public long countDocuments(Bson filter, CountOptions options) {
        return doCountDocuments(null, filter, options);
    }

    public long countDocuments(ClientSession session, Bson filter, CountOptions options) {
        return doCountDocuments(session, filter, options);
    }

    private long doCountDocuments(@Nullable ClientSession session, Bson filter, CountOptions options) {
        return new Counts(scope, namespace).exact(session, filter, options);
    }

    public long estimatedDocumentCount() {
        return estimatedDocumentCount(new EstimatedDocumentCountOptions());
    }

    /** From what the server keeps about the collection, without looking at documents. */
    public long estimatedDocumentCount(EstimatedDocumentCountOptions options) {
        return new Counts(scope, namespace).estimated(options);
    }

    public String createIndex(Bson keys) {
        return createIndex(keys, new IndexOptions());
    }

    public String createIndex(ClientSession session, Bson keys) {
        return createIndex(session, keys, new IndexOptions());
    }

    /** The name of the index. */
    public String createIndex(Bson keys, IndexOptions options) {
        return doCreateIndex(null, keys, options);
    }

    public String createIndex(ClientSession session, Bson keys, IndexOptions options) {
        return doCreateIndex(session, keys, options);
    }

    private String doCreateIndex(@Nullable ClientSession session, Bson keys, IndexOptions options) {
        return indexes()
                .create(session, List.of(new IndexModel(keys, options)), new CreateIndexOptions())
                .getFirst();
    }

    public List<String> createIndexes(List<IndexModel> indexes) {
        return createIndexes(indexes, new CreateIndexOptions());
    }

    public List<String> createIndexes(ClientSession session, List<IndexModel> indexes) {
        return createIndexes(session, indexes, new CreateIndexOptions());
    }

    public List<String> createIndexes(List<IndexModel> indexes, CreateIndexOptions options) {
        return doCreateIndexes(null, indexes, options);
    }

    public List<String> createIndexes(ClientSession session, List<IndexModel> indexes, CreateIndexOptions options) {
        return doCreateIndexes(session, indexes, options);
    }

    private List<String> doCreateIndexes(
            @Nullable ClientSession session, List<IndexModel> indexes, CreateIndexOptions options) {
        return indexes().create(session, indexes, options);
    }

    public void dropIndex(String name) {
        indexes().drop(null, new BsonString(name), new DropIndexOptions());
    }

    public void dropIndex(String name, DropIndexOptions options) {
        indexes().drop(null, new BsonString(name), options);
    }

    public void dropIndex(ClientSession session, String name) {
        indexes().drop(session, new BsonString(name), new DropIndexOptions());
    }

    public void dropIndex(ClientSession session, String name, DropIndexOptions options) {
        indexes().drop(session, new BsonString(name), options);
    }

    public void dropIndex(Bson keys) {
        indexes().drop(null, keys.toBsonDocument(Document.class, scope.codecs()), new DropIndexOptions());
    }

    public void dropIndex(Bson keys, DropIndexOptions options) {
        indexes().drop(null, keys.toBsonDocument(Document.class, scope.codecs()), options);
    }

    public void dropIndex(ClientSession session, Bson keys) {
        indexes().drop(session, keys.toBsonDocument(Document.class, scope.codecs()), new DropIndexOptions());
    }

    public void dropIndex(ClientSession session, Bson keys, DropIndexOptions options) {
        indexes().drop(session, keys.toBsonDocument(Document.class, scope.codecs()), options);
    }

    public void dropIndexes() {
        dropIndexes(new DropIndexOptions());
    }

    public void dropIndexes(ClientSession session) {
        dropIndexes(session, new DropIndexOptions());
    }

    public void dropIndexes(DropIndexOptions options) {
        doDropIndexes(null, options);
    }

    public void dropIndexes(ClientSession session, DropIndexOptions options) {
        doDropIndexes(session, options);
    }

    private void doDropIndexes(@Nullable ClientSession session, DropIndexOptions options) {
        indexes().drop(session, new BsonString("*"), options);
    }

    /** Does nothing if there is no such collection. */
    public void drop() {
        doDrop(null);
    }

    public void drop(ClientSession session) {
        doDrop(session);
    }

    private void doDrop(@Nullable ClientSession session) {
        scope.drop(session, namespace);
    }

    public void renameCollection(MongoNamespace newName) {
        renameCollection(newName, new RenameCollectionOptions());
    }

    public void renameCollection(ClientSession session, MongoNamespace newName) {
        renameCollection(session, newName, new RenameCollectionOptions());
    }

    public void renameCollection(MongoNamespace newName, RenameCollectionOptions options) {
        doRenameCollection(null, newName, options);
    }

    public void renameCollection(ClientSession session, MongoNamespace newName, RenameCollectionOptions options) {
        doRenameCollection(session, newName, options);
    }

    private void doRenameCollection(
            @Nullable ClientSession session, MongoNamespace newName, RenameCollectionOptions options) {
        var operation = CommandOperation.write(
                "renameCollection",
                "admin",
                scope.writeConcern(),
                scope.codecs(),
                fields -> fields.put("renameCollection", namespace.getFullName())
                        .put("to", newName.getFullName())
                        .putIfTrue("dropTarget", options.isDropTarget())
                        .put("comment", options.getComment()),
                reply -> reply);
        scope.run(operation, session);
    }

    public ChangeStreamIterable<Document> watch() {
        return watch(List.of());
    }

    public ChangeStreamIterable<Document> watch(List<? extends Bson> pipeline) {
        return watch(pipeline, Document.class);
    }

    public <R> ChangeStreamIterable<R> watch(List<? extends Bson> pipeline, Class<R> resultClass) {
        return watched(null, pipeline, resultClass);
    }

    public ChangeStreamIterable<Document> watch(ClientSession session, List<? extends Bson> pipeline) {
        return watched(session, pipeline, Document.class);
    }

    public <R> ChangeStreamIterable<R> watch(
            ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass) {
        return watched(session, pipeline, resultClass);
    }

    private <R> ChangeStreamIterable<R> watched(
            @Nullable ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass) {
        var target = new ChangeStreamIterable.Target(namespace.databaseName(), namespace.collectionName(), false);
        return new ChangeStreamIterable<>(
                scope, session, target, pipeline, scope.codecs().get(resultClass));
    }

    private @Nullable BsonValue id(T document) {
        if (!(codec instanceof CollectibleCodec<T> collectible)) {
            return null;
        }
        T withId = collectible.generateIdIfAbsentFromDocument(document);
        return collectible.documentHasId(withId) ? collectible.getDocumentId(withId) : null;
    }

    private UpdateResult updated(@Nullable ClientSession session, WriteModel<T> model, BulkWriteOptions options) {
        BulkWriteResult result = single(session, model, options);
        BsonValue upsertedId =
                result.upserts().isEmpty() ? null : result.upserts().getFirst().id();
        return new UpdateResult(result.wasAcknowledged(), result.matchedCount(), result.modifiedCount(), upsertedId);
    }

    private DeleteResult deleted(@Nullable ClientSession session, WriteModel<T> model, DeleteOptions options) {
        BulkWriteResult result = single(
                session,
                model,
                new BulkWriteOptions().comment(options.getComment()).let(options.getLet()));
        return new DeleteResult(result.wasAcknowledged(), result.deletedCount());
    }

    private BulkWriteResult single(@Nullable ClientSession session, WriteModel<T> model, BulkWriteOptions options) {
        var bulk = new BulkWrite<>(
                namespace, List.of(model), Map.of(), options, scope.writeConcern(), codec, scope.codecs());
        try {
            return scope.bulk(bulk, session);
        } catch (MongoBulkWriteException e) {
            throw SingleWrite.exception(e);
        }
    }

    private FindAndModify<T> findAndModify() {
        return new FindAndModify<>(namespace, codec, scope.writeConcern(), scope.codecs());
    }

    private Indexes indexes() {
        return new Indexes(scope, namespace);
    }

    private CommandIterable<Document> listed(@Nullable ClientSession session, Decoder<Document> decoder) {
        return new CommandIterable<>(
                scope,
                session,
                "listIndexes",
                namespace.databaseName(),
                fields -> fields.put("listIndexes", namespace.collectionName()),
                decoder);
    }
}

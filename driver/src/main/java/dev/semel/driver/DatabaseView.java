package dev.semel.driver;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.model.CreateCollectionOptions;
import dev.semel.driver.model.CreateViewOptions;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.operation.RunCommand;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.ReadPreference;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** A database with the settings of a scope. */
final class DatabaseView extends ConfiguredView<MongoDatabase> implements MongoDatabase {
    private final String name;

    DatabaseView(Scope scope, String name) {
        super(scope);
        MongoNamespace.checkDatabaseName(name);
        this.name = name;
    }

    @Override
    MongoDatabase with(Scope other) {
        return new DatabaseView(other, name);
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public <T> MongoCollection<T> getCollection(String collectionName, Class<T> documentClass) {
        return new CollectionView<>(scope(), new MongoNamespace(name, collectionName), documentClass);
    }

    @Override
    public <R> R runCommand(
            @Nullable ClientSession session, Bson command, ReadPreference preference, Class<R> resultClass) {
        var codec = scope().codecs().get(resultClass);
        var operation = RunCommand.operation(
                name,
                document(command),
                preference,
                scope().codecs(),
                (reply, server) -> Reply.decode(reply.body(), codec));
        return scope().run(operation, session);
    }

    @Override
    public <R> RunCursorCommandIterable<R> runCursorCommand(
            @Nullable ClientSession session, Bson command, ReadPreference preference, Class<R> resultClass) {
        var operation = RunCommand.operation(name, document(command), preference, scope().codecs(), CursorPage::of);
        return new RunCursorCommandIterable<>(
                scope(), session, operation, scope().codecs().get(resultClass));
    }

    private BsonDocument document(Bson command) {
        return command.toBsonDocument(Document.class, scope().codecs());
    }

    @Override
    public <R> AggregateIterable<R> aggregate(
            @Nullable ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass) {
        return new AggregateIterable<>(
                scope(), session, name, null, pipeline, scope().codecs().get(resultClass));
    }

    @Override
    public <R> ChangeStreamIterable<R> watch(
            @Nullable ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass) {
        var target = new ChangeStreamIterable.Target(name, null, false);
        return new ChangeStreamIterable<>(
                scope(), session, target, pipeline, scope().codecs().get(resultClass));
    }

    @Override
    public <R> ListCollectionsIterable<R> listCollections(@Nullable ClientSession session, Class<R> resultClass) {
        return new ListCollectionsIterable<>(
                scope(), session, name, scope().codecs().get(resultClass), false);
    }

    @Override
    public ListCollectionsIterable<String> listCollectionNames(@Nullable ClientSession session) {
        return new ListCollectionsIterable<>(scope(), session, name, new NameDecoder(), true);
    }

    @Override
    public void createCollection(
            @Nullable ClientSession session, String collectionName, CreateCollectionOptions options) {
        var expireAfter = options.getExpireAfter();
        var validation = options.getValidationOptions();
        var level = validation.getValidationLevel();
        var action = validation.getValidationAction();
        write(
                session,
                "create",
                fields -> fields.put("create", collectionName)
                        .putIfTrue("capped", options.isCapped())
                        .putUnlessZero("size", options.getSizeInBytes())
                        .putUnlessZero("max", options.getMaxDocuments())
                        .putBson("validator", validation.getValidator())
                        .put("validationLevel", level == null ? null : level.getValue())
                        .put("validationAction", action == null ? null : action.getValue())
                        .putBson("collation", options.getCollation())
                        .putBson("storageEngine", options.getStorageEngineOptions())
                        .putBson("indexOptionDefaults", options.getIndexOptionDefaults())
                        .put("expireAfterSeconds", expireAfter == null ? null : Long.valueOf(expireAfter.toSeconds()))
                        .putBson("timeseries", options.getTimeSeriesOptions())
                        .putBson("clusteredIndex", options.getClusteredIndexOptions())
                        .putBson("changeStreamPreAndPostImages", options.getChangeStreamPreAndPostImagesOptions())
                        .put("comment", options.getComment()));
    }

    @Override
    public void createView(
            @Nullable ClientSession session,
            String viewName,
            String viewOn,
            List<? extends Bson> pipeline,
            CreateViewOptions options) {
        write(
                session,
                "create",
                fields -> fields.put("create", viewName)
                        .put("viewOn", viewOn)
                        .putBsons("pipeline", pipeline)
                        .putBson("collation", options.getCollation()));
    }

    @Override
    public void drop(@Nullable ClientSession session) {
        write(session, "dropDatabase", fields -> fields.put("dropDatabase", 1));
    }

    private void write(@Nullable ClientSession session, String command, Consumer<Fields> fields) {
        scope().run(
                        CommandOperation.write(
                                command, name, scope().writeConcern(), scope().codecs(), fields, reply -> reply),
                        session);
    }
}

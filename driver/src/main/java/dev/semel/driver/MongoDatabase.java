package dev.semel.driver;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.model.CreateCollectionOptions;
import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.operation.RunCommand;
import dev.semel.driver.setting.MongoNamespace;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.WriteConcern;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** A database. Immutable: {@code with...} gives another view of it. */
public final class MongoDatabase {
    private final Scope scope;
    private final String name;

    MongoDatabase(Scope scope, String name) {
        MongoNamespace.checkDatabaseName(name);
        this.scope = scope;
        this.name = name;
    }

    public String getName() {
        return name;
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

    public MongoDatabase withCodecRegistry(CodecRegistry value) {
        return new MongoDatabase(scope.withCodecs(value), name);
    }

    public MongoDatabase withReadPreference(ReadPreference value) {
        return new MongoDatabase(scope.withReadPreference(value), name);
    }

    public MongoDatabase withReadConcern(ReadConcern value) {
        return new MongoDatabase(scope.withReadConcern(value), name);
    }

    public MongoDatabase withWriteConcern(WriteConcern value) {
        return new MongoDatabase(scope.withWriteConcern(value), name);
    }

    public MongoDatabase withTimeout(@Nullable Duration value) {
        return new MongoDatabase(scope.withTimeout(value), name);
    }

    public MongoCollection<Document> getCollection(String collectionName) {
        return getCollection(collectionName, Document.class);
    }

    public <T> MongoCollection<T> getCollection(String collectionName, Class<T> documentClass) {
        return new MongoCollection<>(scope, new MongoNamespace(name, collectionName), documentClass);
    }

    /** On the primary; sent as it is and not repeated after network errors. */
    public Document runCommand(Bson command) {
        return run(null, command, ReadPreference.primary(), Document.class);
    }

    public Document runCommand(Bson command, ReadPreference preference) {
        return run(null, command, preference, Document.class);
    }

    public <R> R runCommand(Bson command, Class<R> resultClass) {
        return run(null, command, ReadPreference.primary(), resultClass);
    }

    public Document runCommand(ClientSession session, Bson command) {
        return run(session, command, ReadPreference.primary(), Document.class);
    }

    public Document runCommand(ClientSession session, Bson command, ReadPreference preference) {
        return run(session, command, preference, Document.class);
    }

    private <R> R run(@Nullable ClientSession session, Bson command, ReadPreference preference, Class<R> resultClass) {
        var codec = scope.codecs().get(resultClass);
        var operation = RunCommand.operation(
                name,
                document(command),
                preference,
                scope.codecs(),
                (reply, server) -> Reply.decode(reply.body(), codec));
        return scope.run(operation, session);
    }

    /** A command that answers with a cursor, run as it is. */
    public MongoCursor<Document> runCursorCommand(Bson command) {
        return openCursor(null, command, ReadPreference.primary());
    }

    public MongoCursor<Document> runCursorCommand(ClientSession session, Bson command) {
        return openCursor(session, command, ReadPreference.primary());
    }

    private MongoCursor<Document> openCursor(@Nullable ClientSession session, Bson command, ReadPreference preference) {
        var operation = RunCommand.operation(name, document(command), preference, scope.codecs(), CursorPage::of);
        return scope.open(operation, session, scope.codecs().get(Document.class), Fetch.DEFAULT);
    }

    private BsonDocument document(Bson command) {
        return command.toBsonDocument(Document.class, scope.codecs());
    }

    public AggregateIterable<Document> aggregate(List<? extends Bson> pipeline) {
        return aggregate(pipeline, Document.class);
    }

    public AggregateIterable<Document> aggregate(ClientSession session, List<? extends Bson> pipeline) {
        return aggregate(session, pipeline, Document.class);
    }

    public <R> AggregateIterable<R> aggregate(List<? extends Bson> pipeline, Class<R> resultClass) {
        return new AggregateIterable<>(
                scope, null, name, null, pipeline, scope.codecs().get(resultClass));
    }

    public <R> AggregateIterable<R> aggregate(
            ClientSession session, List<? extends Bson> pipeline, Class<R> resultClass) {
        return new AggregateIterable<>(
                scope, session, name, null, pipeline, scope.codecs().get(resultClass));
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
        var target = new ChangeStreamIterable.Target(name, null, false);
        return new ChangeStreamIterable<>(
                scope, session, target, pipeline, scope.codecs().get(resultClass));
    }

    public CommandIterable<Document> listCollections() {
        return listed(null, false);
    }

    public CommandIterable<Document> listCollections(ClientSession session) {
        return listed(session, false);
    }

    public MongoIterable<String> listCollectionNames() {
        return listed(null, true).map(each -> each.getString("name"));
    }

    public MongoIterable<String> listCollectionNames(ClientSession session) {
        return listed(session, true).map(each -> each.getString("name"));
    }

    private CommandIterable<Document> listed(@Nullable ClientSession session, boolean nameOnly) {
        return new CommandIterable<>(
                scope,
                session,
                "listCollections",
                name,
                fields -> fields.put("listCollections", 1).putIfTrue("nameOnly", nameOnly),
                scope.codecs().get(Document.class));
    }

    public void createCollection(String collectionName) {
        create(null, collectionName, new CreateCollectionOptions());
    }

    public void createCollection(String collectionName, CreateCollectionOptions options) {
        create(null, collectionName, options);
    }

    public void createCollection(ClientSession session, String collectionName) {
        create(session, collectionName, new CreateCollectionOptions());
    }

    public void createCollection(ClientSession session, String collectionName, CreateCollectionOptions options) {
        create(session, collectionName, options);
    }

    private void create(@Nullable ClientSession session, String collectionName, CreateCollectionOptions options) {
        var expireAfter = options.getExpireAfter();
        write(
                session,
                "create",
                fields -> fields.put("create", collectionName)
                        .putIfTrue("capped", options.isCapped())
                        .put("size", options.getSizeInBytes() == 0 ? null : Long.valueOf(options.getSizeInBytes()))
                        .put("max", options.getMaxDocuments() == 0 ? null : Long.valueOf(options.getMaxDocuments()))
                        .putBson("validator", options.getValidator())
                        .put("validationLevel", options.getValidationLevel())
                        .put("validationAction", options.getValidationAction())
                        .putBson("collation", options.getCollation())
                        .putBson("storageEngine", options.getStorageEngine())
                        .putBson("indexOptionDefaults", options.getIndexOptionDefaults())
                        .put("expireAfterSeconds", expireAfter == null ? null : Long.valueOf(expireAfter.toSeconds()))
                        .putBson("timeseries", options.getTimeSeries())
                        .putBson("clusteredIndex", options.getClusteredIndex())
                        .putBson("changeStreamPreAndPostImages", options.getChangeStreamPreAndPostImages())
                        .put("comment", options.getComment()));
    }

    public void createView(String viewName, String viewOn, List<? extends Bson> pipeline) {
        write(
                null,
                "create",
                fields -> fields.put("create", viewName).put("viewOn", viewOn).putBsons("pipeline", pipeline));
    }

    /** Does nothing if there is no such database. */
    public void drop() {
        write(null, "dropDatabase", fields -> fields.put("dropDatabase", 1));
    }

    public void drop(ClientSession session) {
        write(session, "dropDatabase", fields -> fields.put("dropDatabase", 1));
    }

    private void write(@Nullable ClientSession session, String command, Consumer<Fields> fields) {
        scope.run(
                CommandOperation.write(command, name, scope.writeConcern(), scope.codecs(), fields, reply -> reply),
                session);
    }
}

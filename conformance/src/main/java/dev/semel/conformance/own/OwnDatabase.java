package dev.semel.conformance.own;

import static dev.semel.conformance.adapter.Options.option;
import static dev.semel.conformance.adapter.Values.bool;
import static dev.semel.conformance.adapter.Values.longNumber;
import static dev.semel.conformance.adapter.Values.number;

import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import dev.semel.driver.ClientSession;
import dev.semel.driver.ListCollectionsIterable;
import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoDatabase;
import dev.semel.driver.RunCursorCommandIterable;
import dev.semel.driver.model.CreateCollectionOptions;
import dev.semel.driver.model.CreateViewOptions;
import dev.semel.driver.model.ValidationOptions;
import dev.semel.driver.setting.ReadPreference;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A database entity. */
record OwnDatabase(MongoDatabase whole) implements Driven {
    private static final Options<ListCollectionsIterable<BsonDocument>> LIST = Options.of(
            option("filter", (o, v) -> o.filter(v.asDocument())),
            option("batchSize", (o, v) -> o.batchSize(number(v))),
            option("timeoutMode", (o, v) -> o.timeoutMode(Dialect.timeoutMode(v))));

    private static final Options<ListCollectionsIterable<String>> LIST_NAMES = Options.of(
            option("filter", (o, v) -> o.filter(v.asDocument())),
            option("batchSize", (o, v) -> o.batchSize(number(v))));

    private static final Options<RunCursorCommandIterable<BsonDocument>> CURSOR = Options.of(
            option("batchSize", (o, v) -> o.batchSize(number(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("cursorType", (o, v) -> o.cursorType(Dialect.cursorType(v))),
            option("maxTimeMS", (o, v) -> o.maxTime(Values.millis(v))),
            option("timeoutMode", (o, v) -> o.timeoutMode(Dialect.timeoutMode(v))));

    private static final Options<CreateCollectionOptions> CREATE = Options.of(
            option("capped", (o, v) -> o.capped(bool(v))),
            option("size", (o, v) -> o.sizeInBytes(longNumber(v))),
            option("max", (o, v) -> o.maxDocuments(longNumber(v))),
            option("expireAfterSeconds", (o, v) -> o.expireAfter(Duration.ofSeconds(longNumber(v)))),
            option("timeseries", (o, v) -> o.timeSeriesOptions(v.asDocument())),
            option("clusteredIndex", (o, v) -> o.clusteredIndexOptions(v.asDocument())),
            option("validator", (o, v) -> o.validationOptions(new ValidationOptions().validator(v.asDocument()))),
            option("changeStreamPreAndPostImages", (o, v) -> o.changeStreamPreAndPostImagesOptions(v.asDocument())));

    static OwnDatabase of(MongoClient client, String name, BsonDocument options) {
        MongoDatabase database = client.getDatabase(name);
        for (var each : options.entrySet()) {
            BsonValue value = each.getValue();
            database = switch (each.getKey()) {
                case "readConcern" -> database.withReadConcern(Concerns.readConcern(value));
                case "writeConcern" -> database.withWriteConcern(Concerns.writeConcern(value));
                case "readPreference" -> database.withReadPreference(Concerns.readPreference(value));
                case "timeoutMS" -> database.withTimeout(Values.millis(value));
                default -> throw new Unsupported("databaseOptions." + each.getKey());
            };
        }
        return new OwnDatabase(database);
    }

    @Override
    public Driven create(String kind, String name, BsonDocument options) {
        return switch (kind) {
            case "collection" -> CollectionEntity.of(whole, name, options);
            case "bucket" -> OwnBucket.of(whole, options);
            default -> throw new Unsupported(kind);
        };
    }

    @Override
    public Outcome run(String operation, Arguments arguments) {
        BsonValue timeout = arguments.find("timeoutMS");
        MongoDatabase database = timeout == null ? whole : whole.withTimeout(Values.millis(timeout));
        ClientSession session = SessionEntity.of(arguments);
        return switch (operation) {
            case "runCommand" -> runCommand(database, session, arguments);
            case "runCursorCommand" -> Values.all(cursorCommand(operation, database, session, arguments));
            case "createCommandCursor" ->
                new Driven.Created(new OpenCursor(
                        "commandCursor",
                        cursorCommand(operation, database, session, arguments).cursor()));
            case "aggregate" ->
                Aggregates.run(
                        database.aggregate(session, Aggregates.pipeline(arguments), BsonDocument.class), arguments);
            case "createChangeStream" ->
                ChangeStreams.open(
                        database.watch(session, ChangeStreams.pipeline(arguments), BsonDocument.class), arguments);
            case "listCollections" ->
                Values.all(LIST.apply(
                        operation, database.listCollections(session, BsonDocument.class), arguments, "timeoutMS"));
            case "listCollectionNames" ->
                Values.strings(
                        LIST_NAMES.apply(operation, database.listCollectionNames(session), arguments, "timeoutMS"));
            case "createCollection" -> {
                createCollection(database, session, arguments);
                yield new Created(create("collection", arguments.string("collection"), new BsonDocument()));
            }
            case "dropCollection" -> {
                Options.none(operation, arguments, "collection", "timeoutMS");
                database.getCollection(arguments.string("collection")).drop(session);
                yield Outcome.NONE;
            }
            case "modifyCollection" -> {
                BsonDocument command = new BsonDocument("collMod", new BsonString(arguments.string("collection")));
                arguments.values().forEach((name, value) -> {
                    if (!name.equals("collection") && !name.equals("timeoutMS")) {
                        command.put(name, value);
                    }
                });
                yield Values.result(
                        database.runCommand(session, command, ReadPreference.primary(), BsonDocument.class));
            }
            default -> throw new Unsupported("database." + operation);
        };
    }

    private static ReadPreference preference(Arguments arguments) {
        BsonValue given = arguments.find("readPreference");
        return given == null ? ReadPreference.primary() : Concerns.readPreference(given);
    }

    private static Outcome runCommand(MongoDatabase database, @Nullable ClientSession session, Arguments arguments) {
        Options.none("runCommand", arguments, "command", "commandName", "readPreference", "timeoutMS");
        return Values.result(
                database.runCommand(session, arguments.document("command"), preference(arguments), BsonDocument.class));
    }

    private static RunCursorCommandIterable<BsonDocument> cursorCommand(
            String operation, MongoDatabase database, @Nullable ClientSession session, Arguments arguments) {
        return CURSOR.apply(
                operation,
                database.runCursorCommand(
                        session, arguments.document("command"), preference(arguments), BsonDocument.class),
                arguments,
                "command",
                "commandName",
                "readPreference",
                "timeoutMS");
    }

    private static void createCollection(MongoDatabase database, @Nullable ClientSession session, Arguments arguments) {
        String name = arguments.string("collection");
        if (arguments.find("viewOn") != null) {
            Options.none("createCollection", arguments, "collection", "viewOn", "pipeline", "timeoutMS");
            database.createView(
                    session, name, arguments.string("viewOn"), Aggregates.pipeline(arguments), new CreateViewOptions());
            return;
        }
        database.createCollection(
                session,
                name,
                CREATE.apply("createCollection", new CreateCollectionOptions(), arguments, "collection", "timeoutMS"));
    }
}

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
import dev.semel.driver.CommandIterable;
import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoDatabase;
import dev.semel.driver.model.CreateCollectionOptions;
import dev.semel.driver.setting.ReadPreference;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** A database entity. */
record OwnDatabase(MongoDatabase whole) implements Driven {
    private static final Options<CommandIterable<Document>> LIST = Options.of(
            option("filter", (o, v) -> o.filter(v.asDocument())),
            option("batchSize", (o, v) -> o.batchSize(number(v))));

    private static final Options<CreateCollectionOptions> CREATE = Options.of(
            option("capped", (o, v) -> o.capped(bool(v))),
            option("size", (o, v) -> o.sizeInBytes(longNumber(v))),
            option("max", (o, v) -> o.maxDocuments(longNumber(v))),
            option("expireAfterSeconds", (o, v) -> o.expireAfter(Duration.ofSeconds(longNumber(v)))),
            option("timeseries", (o, v) -> o.timeSeries(v.asDocument())),
            option("clusteredIndex", (o, v) -> o.clusteredIndex(v.asDocument())),
            option("validator", (o, v) -> o.validator(v.asDocument())),
            option("changeStreamPreAndPostImages", (o, v) -> o.changeStreamPreAndPostImages(v.asDocument())));

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
        if (kind.equals("collection")) {
            return OwnCollection.of(whole, name, options);
        }
        throw new Unsupported(kind);
    }

    @Override
    public Outcome run(String operation, Arguments arguments) {
        BsonValue timeout = arguments.find("timeoutMS");
        MongoDatabase database = timeout == null ? whole : whole.withTimeout(Values.millis(timeout));
        ClientSession session = OwnSession.of(arguments);
        return switch (operation) {
            case "runCommand" -> runCommand(database, session, arguments);
            case "aggregate" ->
                Aggregates.run(
                        session == null
                                ? database.aggregate(Aggregates.pipeline(arguments), BsonDocument.class)
                                : database.aggregate(session, Aggregates.pipeline(arguments), BsonDocument.class),
                        arguments);
            case "createChangeStream" ->
                ChangeStreams.open(
                        session == null
                                ? database.watch(ChangeStreams.pipeline(arguments), BsonDocument.class)
                                : database.watch(session, ChangeStreams.pipeline(arguments), BsonDocument.class),
                        arguments);
            case "listCollections" ->
                Values.all(LIST.apply(
                                operation,
                                session == null ? database.listCollections() : database.listCollections(session),
                                arguments,
                                "timeoutMS")
                        .map(Concerns::document));
            case "listCollectionNames" -> {
                Options.none(operation, arguments, "timeoutMS");
                yield Values.strings(
                        session == null ? database.listCollectionNames() : database.listCollectionNames(session));
            }
            case "createCollection" -> createCollection(database, session, arguments);
            case "dropCollection" -> {
                Options.none(operation, arguments, "collection", "timeoutMS");
                var collection = database.getCollection(arguments.string("collection"));
                if (session == null) {
                    collection.drop();
                } else {
                    collection.drop(session);
                }
                yield Outcome.NONE;
            }
            case "modifyCollection" -> {
                BsonDocument command = new BsonDocument("collMod", new BsonString(arguments.string("collection")));
                arguments.values().forEach((name, value) -> {
                    if (!name.equals("collection") && !name.equals("timeoutMS")) {
                        command.put(name, value);
                    }
                });
                yield Values.result(Concerns.document(
                        session == null ? database.runCommand(command) : database.runCommand(session, command)));
            }
            default -> throw new Unsupported("database." + operation);
        };
    }

    private static Outcome runCommand(MongoDatabase database, @Nullable ClientSession session, Arguments arguments) {
        Options.none("runCommand", arguments, "command", "commandName", "readPreference", "timeoutMS");
        BsonDocument command = arguments.document("command");
        BsonValue given = arguments.find("readPreference");
        ReadPreference preference = given == null ? ReadPreference.primary() : Concerns.readPreference(given);
        return Values.result(Concerns.document(
                session == null
                        ? database.runCommand(command, preference)
                        : database.runCommand(session, command, preference)));
    }

    private static Outcome createCollection(
            MongoDatabase database, @Nullable ClientSession session, Arguments arguments) {
        String name = arguments.string("collection");
        if (arguments.find("viewOn") != null) {
            Options.none("createCollection", arguments, "collection", "viewOn", "pipeline", "timeoutMS");
            database.createView(name, arguments.string("viewOn"), Aggregates.pipeline(arguments));
            return Outcome.NONE;
        }
        CreateCollectionOptions options =
                CREATE.apply("createCollection", new CreateCollectionOptions(), arguments, "collection", "timeoutMS");
        if (session == null) {
            database.createCollection(name, options);
        } else {
            database.createCollection(session, name, options);
        }
        return Outcome.NONE;
    }
}

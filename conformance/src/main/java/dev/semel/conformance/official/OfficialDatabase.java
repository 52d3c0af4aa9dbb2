package dev.semel.conformance.official;

import static dev.semel.conformance.adapter.Options.option;
import static dev.semel.conformance.adapter.Values.bool;
import static dev.semel.conformance.adapter.Values.longNumber;
import static dev.semel.conformance.adapter.Values.number;
import static dev.semel.conformance.adapter.Values.string;

import com.mongodb.ReadPreference;
import com.mongodb.client.ClientSession;
import com.mongodb.client.ListCollectionNamesIterable;
import com.mongodb.client.ListCollectionsIterable;
import com.mongodb.client.MongoCluster;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.ChangeStreamPreAndPostImagesOptions;
import com.mongodb.client.model.ClusteredIndexOptions;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.TimeSeriesGranularity;
import com.mongodb.client.model.TimeSeriesOptions;
import com.mongodb.client.model.ValidationOptions;
import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** A database entity. */
record OfficialDatabase(MongoDatabase whole) implements Driven {
    private static final Options<ListCollectionsIterable<BsonDocument>> LIST = Options.of(
            option("filter", (o, v) -> o.filter(v.asDocument())),
            option("batchSize", (o, v) -> o.batchSize(number(v))),
            option("timeoutMode", (o, v) -> o.timeoutMode(Dialect.timeoutMode(v))));

    private static final Options<ListCollectionNamesIterable> LIST_NAMES = Options.of(
            option("filter", (o, v) -> o.filter(v.asDocument())),
            option("batchSize", (o, v) -> o.batchSize(number(v))));

    private static final Options<CreateCollectionOptions> CREATE = Options.of(
            option("capped", (o, v) -> o.capped(bool(v))),
            option("size", (o, v) -> o.sizeInBytes(longNumber(v))),
            option("max", (o, v) -> o.maxDocuments(longNumber(v))),
            option("expireAfterSeconds", (o, v) -> o.expireAfter(longNumber(v), TimeUnit.SECONDS)),
            option("timeseries", (o, v) -> o.timeSeriesOptions(timeSeries(v.asDocument()))),
            option("clusteredIndex", (o, v) -> o.clusteredIndexOptions(clustered(v.asDocument()))),
            option("validator", (o, v) -> o.validationOptions(new ValidationOptions().validator(v.asDocument()))),
            option(
                    "changeStreamPreAndPostImages",
                    (o, v) -> o.changeStreamPreAndPostImagesOptions(new ChangeStreamPreAndPostImagesOptions(
                            v.asDocument().getBoolean("enabled").getValue()))));

    static OfficialDatabase of(MongoCluster client, String name, BsonDocument options) {
        MongoDatabase database = client.getDatabase(name);
        for (var each : options.entrySet()) {
            BsonValue value = each.getValue();
            database = switch (each.getKey()) {
                case "readConcern" -> database.withReadConcern(Concerns.readConcern(value));
                case "writeConcern" -> database.withWriteConcern(Concerns.writeConcern(value));
                case "readPreference" -> database.withReadPreference(Concerns.readPreference(value));
                case "timeoutMS" -> database.withTimeout(longNumber(value), TimeUnit.MILLISECONDS);
                default -> throw new Unsupported("databaseOptions." + each.getKey());
            };
        }
        return new OfficialDatabase(database);
    }

    private static TimeSeriesOptions timeSeries(BsonDocument fields) {
        TimeSeriesOptions options =
                new TimeSeriesOptions(fields.getString("timeField").getValue());
        fields.forEach((name, value) -> {
            switch (name) {
                case "timeField" -> {}
                case "metaField" -> options.metaField(string(value));
                case "granularity" ->
                    options.granularity(
                            TimeSeriesGranularity.valueOf(string(value).toUpperCase(Locale.ROOT)));
                case "bucketMaxSpanSeconds" -> options.bucketMaxSpan(longNumber(value), TimeUnit.SECONDS);
                case "bucketRoundingSeconds" -> options.bucketRounding(longNumber(value), TimeUnit.SECONDS);
                default -> throw new Unsupported("timeseries." + name);
            }
        });
        return options;
    }

    private static ClusteredIndexOptions clustered(BsonDocument fields) {
        ClusteredIndexOptions options = new ClusteredIndexOptions(
                fields.getDocument("key"), fields.getBoolean("unique").getValue());
        return fields.containsKey("name")
                ? options.name(fields.getString("name").getValue())
                : options;
    }

    @Override
    public Driven create(String kind, String name, BsonDocument options) {
        return switch (kind) {
            case "collection" -> CollectionEntity.of(whole, name, options);
            case "bucket" -> OfficialBucket.of(whole, options);
            default -> throw new Unsupported(kind);
        };
    }

    @Override
    public Outcome run(String operation, Arguments arguments) {
        BsonValue timeout = arguments.find("timeoutMS");
        MongoDatabase database =
                timeout == null ? whole : whole.withTimeout(longNumber(timeout), TimeUnit.MILLISECONDS);
        ClientSession session = SessionEntity.of(arguments);
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
                        session == null
                                ? database.listCollections(BsonDocument.class)
                                : database.listCollections(session, BsonDocument.class),
                        arguments,
                        "timeoutMS"));
            case "listCollectionNames" ->
                Values.strings(LIST_NAMES.apply(
                        operation,
                        session == null ? database.listCollectionNames() : database.listCollectionNames(session),
                        arguments,
                        "timeoutMS"));
            case "createCollection" -> {
                createCollection(database, session, arguments);
                yield new Created(create("collection", arguments.string("collection"), new BsonDocument()));
            }
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
                yield Values.result(
                        session == null
                                ? database.runCommand(command, BsonDocument.class)
                                : database.runCommand(session, command, BsonDocument.class));
            }
            default -> throw new Unsupported("database." + operation);
        };
    }

    private static Outcome runCommand(MongoDatabase database, @Nullable ClientSession session, Arguments arguments) {
        Options.none("runCommand", arguments, "command", "commandName", "readPreference", "timeoutMS");
        BsonDocument command = arguments.document("command");
        BsonValue given = arguments.find("readPreference");
        if (given == null) {
            return Values.result(
                    session == null
                            ? database.runCommand(command, BsonDocument.class)
                            : database.runCommand(session, command, BsonDocument.class));
        }
        ReadPreference preference = Concerns.readPreference(given);
        return Values.result(
                session == null
                        ? database.runCommand(command, preference, BsonDocument.class)
                        : database.runCommand(session, command, preference, BsonDocument.class));
    }

    private static void createCollection(MongoDatabase database, @Nullable ClientSession session, Arguments arguments) {
        String name = arguments.string("collection");
        if (arguments.find("viewOn") != null) {
            Options.none("createCollection", arguments, "collection", "viewOn", "pipeline", "timeoutMS");
            List<BsonDocument> pipeline = Aggregates.pipeline(arguments);
            if (session == null) {
                database.createView(name, arguments.string("viewOn"), pipeline);
            } else {
                database.createView(session, name, arguments.string("viewOn"), pipeline);
            }
            return;
        }
        CreateCollectionOptions options =
                CREATE.apply("createCollection", new CreateCollectionOptions(), arguments, "collection", "timeoutMS");
        if (session == null) {
            database.createCollection(name, options);
        } else {
            database.createCollection(session, name, options);
        }
    }
}

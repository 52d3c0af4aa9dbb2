package dev.semel.conformance.own;

import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import dev.semel.driver.ClientSession;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.MongoDatabase;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** A collection entity; each family of operations has a file. */
record OwnCollection(MongoCollection<BsonDocument> whole) implements Driven {
    static OwnCollection of(MongoDatabase database, String name, BsonDocument options) {
        MongoCollection<BsonDocument> collection = database.getCollection(name, BsonDocument.class);
        for (var each : options.entrySet()) {
            BsonValue value = each.getValue();
            collection = switch (each.getKey()) {
                case "readConcern" -> collection.withReadConcern(Concerns.readConcern(value));
                case "writeConcern" -> collection.withWriteConcern(Concerns.writeConcern(value));
                case "readPreference" -> collection.withReadPreference(Concerns.readPreference(value));
                case "timeoutMS" -> collection.withTimeout(Values.millis(value));
                default -> throw new Unsupported("collectionOptions." + each.getKey());
            };
        }
        return new OwnCollection(collection);
    }

    @Override
    public Outcome run(String operation, Arguments arguments) {
        BsonValue timeout = arguments.find("timeoutMS");
        MongoCollection<BsonDocument> collection = timeout == null ? whole : whole.withTimeout(Values.millis(timeout));
        ClientSession session = OwnSession.of(arguments);
        return switch (operation) {
            case "find",
                    "findOne",
                    "createFindCursor",
                    "count",
                    "countDocuments",
                    "estimatedDocumentCount",
                    "distinct",
                    "mapReduce" -> new CollectionReads(collection, session).run(operation, arguments);
            case "aggregate" ->
                Aggregates.run(
                        collection.aggregate(session, Aggregates.pipeline(arguments), BsonDocument.class), arguments);
            case "insertOne", "insertMany", "updateOne", "updateMany", "replaceOne", "deleteOne", "deleteMany" ->
                new CollectionWrites(collection, session).run(operation, arguments);
            case "createChangeStream" ->
                ChangeStreams.open(
                        collection.watch(session, ChangeStreams.pipeline(arguments), BsonDocument.class), arguments);
            case "bulkWrite" -> BulkWrites.run(collection, session, arguments);
            case "findOneAndUpdate", "findOneAndReplace", "findOneAndDelete" ->
                new FindAndModify(collection, session).run(operation, arguments);
            default -> new CollectionIndexes(collection, session).run(operation, arguments);
        };
    }
}

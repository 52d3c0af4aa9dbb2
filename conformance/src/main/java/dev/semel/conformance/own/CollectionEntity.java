package dev.semel.conformance.own;

import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.driver.ClientSession;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.MongoDatabase;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** A collection entity; each family of operations has a file. */
record CollectionEntity(MongoCollection<BsonDocument> whole) implements Driven {
    static CollectionEntity of(MongoDatabase database, String name, BsonDocument options) {
        MongoCollection<BsonDocument> collection = database.getCollection(name, BsonDocument.class);
        for (var each : options.entrySet()) {
            BsonValue value = each.getValue();
            collection = switch (each.getKey()) {
                case "readConcern" -> collection.withReadConcern(Concerns.readConcern(value));
                case "writeConcern" -> collection.withWriteConcern(Concerns.writeConcern(value));
                case "readPreference" -> collection.withReadPreference(Concerns.readPreference(value));
                case "timeoutMS" -> Dialect.millis(collection::withTimeout, value);
                default -> throw new Unsupported("collectionOptions." + each.getKey());
            };
        }
        return new CollectionEntity(collection);
    }

    @Override
    public Outcome run(String operation, Arguments arguments) {
        BsonValue timeout = arguments.find("timeoutMS");
        MongoCollection<BsonDocument> collection =
                timeout == null ? whole : Dialect.millis(whole::withTimeout, timeout);
        ClientSession session = SessionEntity.of(arguments);
        return switch (operation) {
            case "find", "findOne", "createFindCursor", "countDocuments", "estimatedDocumentCount", "distinct" ->
                new CollectionReads(collection, session).run(operation, arguments);
            case "aggregate" ->
                Aggregates.run(
                        session == null
                                ? collection.aggregate(Aggregates.pipeline(arguments), BsonDocument.class)
                                : collection.aggregate(session, Aggregates.pipeline(arguments), BsonDocument.class),
                        arguments);
            case "createChangeStream" ->
                ChangeStreams.open(
                        session == null
                                ? collection.watch(ChangeStreams.pipeline(arguments), BsonDocument.class)
                                : collection.watch(session, ChangeStreams.pipeline(arguments), BsonDocument.class),
                        arguments);
            case "insertOne", "insertMany", "updateOne", "updateMany", "replaceOne", "deleteOne", "deleteMany" ->
                new CollectionWrites(collection, session).run(operation, arguments);
            case "bulkWrite" -> BulkWrites.run(collection, session, arguments);
            case "findOneAndUpdate", "findOneAndReplace", "findOneAndDelete" ->
                new FindAndModify(collection, session).run(operation, arguments);
            default -> new CollectionIndexes(collection, session).run(operation, arguments);
        };
    }
}

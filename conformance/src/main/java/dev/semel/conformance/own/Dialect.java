package dev.semel.conformance.own;

import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import dev.semel.driver.ClientSession;
import dev.semel.driver.CursorType;
import dev.semel.driver.MongoCluster;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.TimeoutMode;
import dev.semel.driver.model.BulkWriteResult;
import dev.semel.driver.model.ClientBulkWriteOptions;
import dev.semel.driver.model.ClientBulkWriteResult;
import dev.semel.driver.model.SearchIndexModel;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** How this driver says what the other says otherwise: all that the classes which both adapters share need not know. */
final class Dialect {
    private Dialect() {}

    @FunctionalInterface
    interface Timed<R> {
        R set(Duration time);
    }

    static <R> R millis(Timed<R> setter, BsonValue value) {
        return setter.set(Values.millis(value));
    }

    static BsonDocument collation(BsonValue value) {
        return value.asDocument();
    }

    static TimeoutMode timeoutMode(BsonValue value) {
        return switch (Values.string(value)) {
            case "cursorLifetime" -> TimeoutMode.CURSOR_LIFETIME;
            case "iteration" -> TimeoutMode.ITERATION;
            default -> throw new Unsupported("timeoutMode " + Values.string(value));
        };
    }

    static CursorType cursorType(BsonValue value) {
        return switch (Values.string(value)) {
            case "nonTailable" -> CursorType.NON_TAILABLE;
            case "tailable" -> CursorType.TAILABLE;
            case "tailableAwait" -> CursorType.TAILABLE_AWAIT;
            default -> throw new Unsupported("cursorType " + Values.string(value));
        };
    }

    static SearchIndexModel searchIndex(BsonDocument model) {
        return new SearchIndexModel(text(model, "name"), model.getDocument("definition"), text(model, "type"));
    }

    private static @Nullable String text(BsonDocument model, String field) {
        BsonValue value = model.get(field);
        return value == null ? null : Values.string(value);
    }

    static MongoCluster bulkWriteTarget(MongoCluster client, Arguments arguments) {
        return client;
    }

    /** A bulk write may have a write concern of its own. */
    static ClientBulkWriteOptions bulkWriteOptions(ClientBulkWriteOptions options, Arguments arguments) {
        BsonValue concern = arguments.find("writeConcern");
        return concern == null ? options : options.writeConcern(Concerns.writeConcern(concern));
    }

    static BsonValue insertedId(ClientBulkWriteResult.ClientInsertOneResult result) {
        return Values.orNull(result.insertedId());
    }

    static BsonDocument inserts(BulkWriteResult result) {
        BsonDocument inserted = new BsonDocument();
        result.getInserts().forEach((index, id) -> inserted.put(String.valueOf(index), Values.orNull(id)));
        return inserted;
    }

    static BsonDocument upserts(BulkWriteResult result) {
        BsonDocument upserted = new BsonDocument();
        result.getUpserts().forEach(each -> upserted.put(String.valueOf(each.index()), each.id()));
        return upserted;
    }

    /** Operations of a collection that only this driver has. */
    static Driven.Outcome other(
            String operation,
            MongoCollection<BsonDocument> collection,
            @Nullable ClientSession session,
            Arguments arguments) {
        if (!operation.equals("listIndexNames")) {
            throw new Unsupported("collection." + operation);
        }
        Options.none(operation, arguments, "timeoutMS");
        return Values.strings(collection.listIndexNames(session));
    }
}

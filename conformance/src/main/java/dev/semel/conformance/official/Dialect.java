package dev.semel.conformance.official;

import com.mongodb.CursorType;
import com.mongodb.bulk.BulkWriteInsert;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCluster;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.cursor.TimeoutMode;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationStrength;
import com.mongodb.client.model.SearchIndexModel;
import com.mongodb.client.model.SearchIndexType;
import com.mongodb.client.model.bulk.ClientBulkWriteOptions;
import com.mongodb.client.model.bulk.ClientInsertOneResult;
import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** How this driver says what the other says otherwise: all that the classes which both adapters share need not know. */
final class Dialect {
    private Dialect() {}

    @FunctionalInterface
    interface Timed<R> {
        R set(long time, TimeUnit unit);
    }

    static <R> R millis(Timed<R> setter, BsonValue value) {
        return setter.set(Values.longNumber(value), TimeUnit.MILLISECONDS);
    }

    static Collation collation(BsonValue value) {
        Collation.Builder builder = Collation.builder();
        value.asDocument().forEach((name, each) -> {
            switch (name) {
                case "locale" -> builder.locale(Values.string(each));
                case "strength" -> builder.collationStrength(CollationStrength.fromInt(Values.number(each)));
                case "caseLevel" -> builder.caseLevel(Values.bool(each));
                case "numericOrdering" -> builder.numericOrdering(Values.bool(each));
                default -> throw new Unsupported("collation." + name);
            }
        });
        return builder.build();
    }

    static CursorType cursorType(BsonValue value) {
        return switch (Values.string(value)) {
            case "nonTailable" -> CursorType.NonTailable;
            case "tailable" -> CursorType.Tailable;
            case "tailableAwait" -> CursorType.TailableAwait;
            default -> throw new Unsupported("cursorType " + Values.string(value));
        };
    }

    static TimeoutMode timeoutMode(BsonValue value) {
        return switch (Values.string(value)) {
            case "cursorLifetime" -> TimeoutMode.CURSOR_LIFETIME;
            case "iteration" -> TimeoutMode.ITERATION;
            default -> throw new Unsupported("timeoutMode " + Values.string(value));
        };
    }

    static SearchIndexModel searchIndex(BsonDocument model) {
        BsonDocument definition = model.getDocument("definition");
        BsonValue name = model.get("name");
        BsonValue type = model.get("type");
        if (type != null) {
            return new SearchIndexModel(
                    name == null ? null : Values.string(name), definition, SearchIndexType.of(type));
        }
        return name == null ? new SearchIndexModel(definition) : new SearchIndexModel(Values.string(name), definition);
    }

    /** A bulk write has the write concern of its client. */
    static MongoCluster bulkWriteTarget(MongoCluster client, Arguments arguments) {
        BsonValue concern = arguments.find("writeConcern");
        return concern == null ? client : client.withWriteConcern(Concerns.writeConcern(concern));
    }

    static ClientBulkWriteOptions bulkWriteOptions(ClientBulkWriteOptions options, Arguments arguments) {
        return options;
    }

    static BsonValue insertedId(ClientInsertOneResult result) {
        return Values.orNull(result.getInsertedId().orElse(null));
    }

    static BsonDocument inserts(BulkWriteResult result) {
        BsonDocument inserted = new BsonDocument();
        for (BulkWriteInsert each : result.getInserts()) {
            inserted.put(String.valueOf(each.getIndex()), Values.orNull(each.getId()));
        }
        return inserted;
    }

    static BsonDocument upserts(BulkWriteResult result) {
        BsonDocument upserted = new BsonDocument();
        for (BulkWriteUpsert each : result.getUpserts()) {
            upserted.put(String.valueOf(each.getIndex()), each.getId());
        }
        return upserted;
    }

    /** Operations of a collection that only this driver has. */
    @SuppressWarnings("deprecation") // the cases ask for it
    static Driven.Outcome other(
            String operation,
            MongoCollection<BsonDocument> collection,
            @Nullable ClientSession session,
            Arguments arguments) {
        if (!operation.equals("mapReduce")) {
            throw new Unsupported("collection." + operation);
        }
        Options.none("mapReduce", arguments, "map", "reduce", "out");
        String map = arguments.get("map").asJavaScript().getCode();
        String reduce = arguments.get("reduce").asJavaScript().getCode();
        return Values.all(
                session == null ? collection.mapReduce(map, reduce) : collection.mapReduce(session, map, reduce));
    }
}

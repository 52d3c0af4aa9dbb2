package dev.semel.conformance.own;

import dev.semel.conformance.adapter.Values;
import dev.semel.driver.model.BulkWriteResult;
import dev.semel.driver.model.DeleteResult;
import dev.semel.driver.model.InsertManyResult;
import dev.semel.driver.model.InsertOneResult;
import dev.semel.driver.model.UpdateResult;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/** Results of writes, as the format has them. */
final class Results {
    private Results() {}

    static BsonDocument unacknowledged() {
        return new BsonDocument("acknowledged", BsonBoolean.FALSE);
    }

    static BsonDocument insert(InsertOneResult result) {
        return result.wasAcknowledged()
                ? new BsonDocument("insertedId", Values.orNull(result.getInsertedId()))
                : unacknowledged();
    }

    static BsonDocument insertMany(InsertManyResult result) {
        if (!result.wasAcknowledged()) {
            return unacknowledged();
        }
        BsonDocument ids = new BsonDocument();
        result.getInsertedIds().forEach((index, id) -> ids.put(String.valueOf(index), Values.orNull(id)));
        return new BsonDocument("insertedIds", ids).append("insertedCount", new BsonInt64(ids.size()));
    }

    static BsonDocument delete(DeleteResult result) {
        return result.wasAcknowledged()
                ? new BsonDocument("deletedCount", new BsonInt64(result.getDeletedCount()))
                : unacknowledged();
    }

    static BsonDocument update(UpdateResult result) {
        if (!result.wasAcknowledged()) {
            return unacknowledged();
        }
        BsonValue upserted = result.getUpsertedId();
        BsonDocument document = new BsonDocument("matchedCount", new BsonInt64(result.getMatchedCount()))
                .append("modifiedCount", new BsonInt64(result.getModifiedCount()))
                .append("upsertedCount", new BsonInt64(upserted == null ? 0 : 1));
        return upserted == null ? document : document.append("upsertedId", upserted);
    }

    static BsonDocument bulk(BulkWriteResult result) {
        if (!result.wasAcknowledged()) {
            return unacknowledged();
        }
        BsonDocument upserted = Dialect.upserts(result);
        return new BsonDocument("deletedCount", new BsonInt64(result.getDeletedCount()))
                .append("insertedCount", new BsonInt64(result.getInsertedCount()))
                .append("matchedCount", new BsonInt64(result.getMatchedCount()))
                .append("modifiedCount", new BsonInt64(result.getModifiedCount()))
                .append("upsertedCount", new BsonInt64(upserted.size()))
                .append("insertedIds", Dialect.inserts(result))
                .append("upsertedIds", upserted);
    }
}

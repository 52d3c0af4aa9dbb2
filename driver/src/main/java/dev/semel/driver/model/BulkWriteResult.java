package dev.semel.driver.model;

import java.util.List;
import java.util.Map;
import org.bson.BsonValue;

/** The result of a bulk write; indexes are those of the list of models. */
public record BulkWriteResult(
        boolean wasAcknowledged,
        int insertedCount,
        int matchedCount,
        int modifiedCount,
        int deletedCount,
        List<BulkWriteUpsert> upserts,
        Map<Integer, BsonValue> inserts) {
    public int getInsertedCount() {
        return insertedCount;
    }

    public int getMatchedCount() {
        return matchedCount;
    }

    public int getModifiedCount() {
        return modifiedCount;
    }

    public int getDeletedCount() {
        return deletedCount;
    }

    public List<BulkWriteUpsert> getUpserts() {
        return upserts;
    }

    public Map<Integer, BsonValue> getInserts() {
        return inserts;
    }
}

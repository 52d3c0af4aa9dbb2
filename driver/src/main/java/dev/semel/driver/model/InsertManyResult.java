package dev.semel.driver.model;

import java.util.Map;
import org.bson.BsonValue;

/** What an insert did, by the index of the document. */
public record InsertManyResult(boolean wasAcknowledged, Map<Integer, BsonValue> insertedIds) {
    public Map<Integer, BsonValue> getInsertedIds() {
        return insertedIds;
    }
}

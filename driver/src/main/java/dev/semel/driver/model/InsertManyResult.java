package dev.semel.driver.model;

import java.util.Map;
import org.bson.BsonValue;

/** The result of an insert, by the index of the document. */
public record InsertManyResult(boolean wasAcknowledged, Map<Integer, BsonValue> insertedIds) {
    public Map<Integer, BsonValue> getInsertedIds() {
        return insertedIds;
    }
}

package dev.semel.driver.model;

import org.bson.BsonValue;

/** The statement with this index inserted the document with this id. */
public record BulkWriteUpsert(int index, BsonValue id) {
    public int getIndex() {
        return index;
    }

    public BsonValue getId() {
        return id;
    }
}

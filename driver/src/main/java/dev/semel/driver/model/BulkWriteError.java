package dev.semel.driver.model;

import dev.semel.driver.error.ErrorCategory;
import dev.semel.driver.error.WriteError;
import org.bson.BsonDocument;

/** The error of the statement with this index. */
public record BulkWriteError(int index, WriteError error) {
    public int getIndex() {
        return index;
    }

    public ErrorCategory getCategory() {
        return error.getCategory();
    }

    public int getCode() {
        return error.code();
    }

    public String getMessage() {
        return error.message();
    }

    public BsonDocument getDetails() {
        return error.details();
    }
}

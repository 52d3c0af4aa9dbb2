package dev.semel.driver.error;

import org.bson.BsonDocument;

/** Why one statement of a write was not done. */
public record WriteError(int code, String message, BsonDocument details) {
    public ErrorCategory getCategory() {
        return ErrorCategory.fromErrorCode(code);
    }

    public int getCode() {
        return code;
    }

    public String getMessage() {
        return message;
    }

    public BsonDocument getDetails() {
        return details;
    }
}

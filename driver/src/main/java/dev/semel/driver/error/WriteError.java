package dev.semel.driver.error;

import org.bson.BsonDocument;

/** The error of one statement of a write. */
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

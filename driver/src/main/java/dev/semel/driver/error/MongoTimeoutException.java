package dev.semel.driver.error;

import org.jspecify.annotations.Nullable;

/** Waiting for a server or a connection took too long. */
public class MongoTimeoutException extends MongoClientException {
    private static final long serialVersionUID = 1L;

    public MongoTimeoutException(String message) {
        super(message);
    }

    public MongoTimeoutException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

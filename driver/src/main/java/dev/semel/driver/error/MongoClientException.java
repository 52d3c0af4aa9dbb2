package dev.semel.driver.error;

import org.jspecify.annotations.Nullable;

/** An error of the client, without a server's reply. */
public class MongoClientException extends MongoException {
    private static final long serialVersionUID = 1L;

    public MongoClientException(String message) {
        super(message);
    }

    public MongoClientException(String message, @Nullable Throwable cause) {
        super(-3, message, cause);
    }
}

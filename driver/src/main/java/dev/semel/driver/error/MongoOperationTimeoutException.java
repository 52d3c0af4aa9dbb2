package dev.semel.driver.error;

import org.jspecify.annotations.Nullable;

/** The timeout of an operation has expired. */
public class MongoOperationTimeoutException extends MongoTimeoutException {
    private static final long serialVersionUID = 1L;

    public MongoOperationTimeoutException(String message) {
        super(message);
    }

    public MongoOperationTimeoutException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

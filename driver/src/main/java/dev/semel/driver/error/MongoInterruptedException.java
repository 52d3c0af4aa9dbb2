package dev.semel.driver.error;

import org.jspecify.annotations.Nullable;

/** The thread was interrupted while it waited. */
public class MongoInterruptedException extends MongoException {
    private static final long serialVersionUID = 1L;

    public MongoInterruptedException(String message, @Nullable Throwable cause) {
        super(-4, message, cause);
    }
}

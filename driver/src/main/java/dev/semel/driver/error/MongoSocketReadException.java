package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.jspecify.annotations.Nullable;

/** A reply could not be read. */
public class MongoSocketReadException extends MongoSocketException {
    private static final long serialVersionUID = 1L;

    public MongoSocketReadException(String message, ServerAddress address, @Nullable Throwable cause) {
        super(message, address, cause);
    }
}

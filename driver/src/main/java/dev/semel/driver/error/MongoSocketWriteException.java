package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.jspecify.annotations.Nullable;

/** A request could not be sent completely. */
public class MongoSocketWriteException extends MongoSocketException {
    private static final long serialVersionUID = 1L;

    public MongoSocketWriteException(String message, ServerAddress address, @Nullable Throwable cause) {
        super(message, address, cause);
    }
}

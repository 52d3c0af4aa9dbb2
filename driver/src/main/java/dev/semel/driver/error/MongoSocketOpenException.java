package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.jspecify.annotations.Nullable;

/** A connection could not be opened. */
public class MongoSocketOpenException extends MongoSocketException {
    private static final long serialVersionUID = 1L;

    public MongoSocketOpenException(String message, ServerAddress address, @Nullable Throwable cause) {
        super(message, address, cause);
    }
}

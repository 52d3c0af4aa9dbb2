package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.jspecify.annotations.Nullable;

/** No reply arrived in time. */
public class MongoSocketReadTimeoutException extends MongoSocketException {
    private static final long serialVersionUID = 1L;

    public MongoSocketReadTimeoutException(String message, ServerAddress address, @Nullable Throwable cause) {
        super(message, address, cause);
    }
}

package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.jspecify.annotations.Nullable;

/** Authentication failed. */
public class MongoSecurityException extends MongoClientException {
    private static final long serialVersionUID = 1L;

    private final transient ServerAddress address;

    public MongoSecurityException(String message, ServerAddress address, @Nullable Throwable cause) {
        super(message, cause);
        this.address = address;
    }

    public ServerAddress getServerAddress() {
        return address;
    }
}

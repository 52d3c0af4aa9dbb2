package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.jspecify.annotations.Nullable;

/** A network error: it is unknown whether the server ran the command. */
public class MongoSocketException extends MongoException {
    private static final long serialVersionUID = 1L;

    private final transient ServerAddress address;

    public MongoSocketException(String message, ServerAddress address, @Nullable Throwable cause) {
        super(-2, message, cause);
        this.address = address;
    }

    public ServerAddress getServerAddress() {
        return address;
    }
}

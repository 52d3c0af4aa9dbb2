package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.jspecify.annotations.Nullable;

/** The pool was emptied because its server failed, so no connection was tried. Always safe to try again. */
public class MongoConnectionPoolClearedException extends MongoClientException {
    private static final long serialVersionUID = 1L;

    private final transient ServerAddress address;

    public MongoConnectionPoolClearedException(ServerAddress address, @Nullable Throwable cause) {
        super(
                "Connection pool for " + address + " is paused"
                        + (cause == null ? "" : " after: " + cause.getMessage()),
                cause);
        this.address = address;
    }

    public ServerAddress getServerAddress() {
        return address;
    }
}

package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;
import org.jspecify.annotations.Nullable;

/** The pool was cleared because its server failed, so the command was not sent. Always safe to retry. */
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

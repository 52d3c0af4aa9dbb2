package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;

/** An error reply of a server. */
public class MongoServerException extends MongoException {
    private static final long serialVersionUID = 1L;

    private final transient ServerAddress address;
    private final String codeName;

    public MongoServerException(int code, String codeName, String message, ServerAddress address) {
        super(code, message, null);
        this.address = address;
        this.codeName = codeName;
    }

    public ServerAddress getServerAddress() {
        return address;
    }

    /** The name of the code; empty where the server gave none. */
    public String getErrorCodeName() {
        return codeName;
    }
}

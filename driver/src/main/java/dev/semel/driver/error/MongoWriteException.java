package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;

/** A single write failed. */
public class MongoWriteException extends MongoServerException {
    private static final long serialVersionUID = 1L;

    private final transient WriteError error;

    public MongoWriteException(WriteError error, ServerAddress address) {
        super(
                error.code(),
                "",
                "Write operation error on server " + address + ": " + error.message() + ", code " + error.code()
                        + ", details " + error.details().toJson(),
                address);
        this.error = error;
    }

    /** Of the kind that the error is. */
    public static MongoWriteException of(WriteError error, ServerAddress address) {
        return error.getCategory() == ErrorCategory.DUPLICATE_KEY
                ? new DuplicateKeyException(error, address)
                : new MongoWriteException(error, address);
    }

    public WriteError getError() {
        return error;
    }
}

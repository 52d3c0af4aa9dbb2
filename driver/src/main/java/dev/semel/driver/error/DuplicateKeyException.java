package dev.semel.driver.error;

import dev.semel.driver.setting.ServerAddress;

/** A single write failed, because another document has the same key in a unique index. */
public final class DuplicateKeyException extends MongoWriteException {
    private static final long serialVersionUID = 1L;

    DuplicateKeyException(WriteError error, ServerAddress address) {
        super(error, address);
    }
}

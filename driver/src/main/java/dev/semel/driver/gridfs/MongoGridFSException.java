package dev.semel.driver.gridfs;

import dev.semel.driver.error.MongoClientException;

/** There is no such file, or it is damaged, or the source of an upload could not be read. */
public final class MongoGridFSException extends MongoClientException {
    private static final long serialVersionUID = 1L;

    public MongoGridFSException(String message) {
        super(message);
    }

    public MongoGridFSException(String message, Throwable cause) {
        super(message, cause);
    }
}

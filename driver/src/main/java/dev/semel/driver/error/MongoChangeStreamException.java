package dev.semel.driver.error;

/** A change stream cannot resume, because its changes have no resume token. */
public class MongoChangeStreamException extends MongoClientException {
    private static final long serialVersionUID = 1L;

    public MongoChangeStreamException(String message) {
        super(message);
    }
}

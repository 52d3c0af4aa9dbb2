package dev.semel.driver.error;

/** A change stream cannot go on, because its changes lack what it would have to remember. */
public class MongoChangeStreamException extends MongoClientException {
    private static final long serialVersionUID = 1L;

    public MongoChangeStreamException(String message) {
        super(message);
    }
}

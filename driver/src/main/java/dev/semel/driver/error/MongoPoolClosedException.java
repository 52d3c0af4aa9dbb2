package dev.semel.driver.error;

/** The client was closed. */
public class MongoPoolClosedException extends MongoClientException {
    private static final long serialVersionUID = 1L;

    public MongoPoolClosedException(String message) {
        super(message);
    }
}

package dev.semel.driver.error;

/** A server supports only versions of the protocol that this driver does not. */
public class MongoIncompatibleDriverException extends MongoClientException {
    private static final long serialVersionUID = 1L;

    public MongoIncompatibleDriverException(String message) {
        super(message);
    }
}

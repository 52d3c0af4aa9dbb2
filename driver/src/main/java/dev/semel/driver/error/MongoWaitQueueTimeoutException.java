package dev.semel.driver.error;

/** No connection became free in time. */
public class MongoWaitQueueTimeoutException extends MongoTimeoutException {
    private static final long serialVersionUID = 1L;

    public MongoWaitQueueTimeoutException(String message) {
        super(message);
    }
}

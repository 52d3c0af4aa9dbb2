package dev.semel.driver.error;

import org.jspecify.annotations.Nullable;

/** Invalid settings. */
public class MongoConfigurationException extends MongoClientException {
    private static final long serialVersionUID = 1L;

    public MongoConfigurationException(String message) {
        super(message);
    }

    public MongoConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

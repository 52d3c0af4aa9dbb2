package dev.semel.driver.dns;

import org.jspecify.annotations.Nullable;

/** The domain name system has no answer. */
public class DnsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public DnsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

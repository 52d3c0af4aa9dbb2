package dev.semel.driver.dns;

import org.jspecify.annotations.Nullable;

/** A DNS look-up failed. */
public class DnsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public DnsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

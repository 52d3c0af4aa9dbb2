package dev.semel.driver.dns;

import org.jspecify.annotations.Nullable;

/** The domain name system has answered with an error, by its response codes: 3 is that the name does not exist. */
public final class DnsWithResponseCodeException extends DnsException {
    static final int NAME_DOES_NOT_EXIST = 3;

    private static final long serialVersionUID = 1;

    private final int responseCode;

    public DnsWithResponseCodeException(String message, int responseCode, @Nullable Throwable cause) {
        super(message, cause);
        this.responseCode = responseCode;
    }

    public int getResponseCode() {
        return responseCode;
    }
}

package dev.semel.driver.error;

/** Kinds of errors that applications often distinguish. */
public enum ErrorCategory {
    UNCATEGORIZED,
    DUPLICATE_KEY,
    EXECUTION_TIMEOUT;

    public static ErrorCategory fromErrorCode(int code) {
        return switch (code) {
            case 11000, 11001, 12582 -> DUPLICATE_KEY;
            case 50 -> EXECUTION_TIMEOUT;
            default -> UNCATEGORIZED;
        };
    }
}

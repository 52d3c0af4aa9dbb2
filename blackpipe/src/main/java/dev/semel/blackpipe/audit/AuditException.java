package dev.semel.blackpipe.audit;

import org.jspecify.annotations.Nullable;

/** The reason why there is no verdict: the operation fails without a fault, or the server cannot be used. */
public final class AuditException extends Exception {
    private static final long serialVersionUID = 1L;

    AuditException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

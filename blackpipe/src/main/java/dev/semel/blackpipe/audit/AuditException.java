package dev.semel.blackpipe.audit;

import org.jspecify.annotations.Nullable;

/** Why there is no verdict: the operation fails without any fault, or what it needs is not there. */
public final class AuditException extends Exception {
    private static final long serialVersionUID = 1L;

    AuditException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

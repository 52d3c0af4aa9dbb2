package dev.semel.store;

import org.jspecify.annotations.Nullable;

/** The engine could not do what must not fail: a full or broken disk, files that are damaged or not ours. */
public class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EngineException(String message) {
        this(message, null);
    }

    public EngineException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

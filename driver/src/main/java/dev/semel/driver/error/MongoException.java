package dev.semel.driver.error;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The base class of all exceptions. The code is that of the server, or negative for errors of the client. */
public class MongoException extends RuntimeException {
    /** The whole transaction may be run again. */
    public static final String TRANSIENT_TRANSACTION_ERROR_LABEL = "TransientTransactionError";

    /** It is unknown whether the transaction was committed; the commit may be sent again. */
    public static final String UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL = "UnknownTransactionCommitResult";

    public static final String RETRYABLE_WRITE_ERROR_LABEL = "RetryableWriteError";

    /** This attempt changed nothing. */
    public static final String NO_WRITES_PERFORMED_LABEL = "NoWritesPerformed";

    public static final String RETRYABLE_ERROR_LABEL = "RetryableError";

    public static final String SYSTEM_OVERLOADED_ERROR_LABEL = "SystemOverloadedError";

    public static final String RESUMABLE_CHANGE_STREAM_ERROR_LABEL = "ResumableChangeStreamError";

    private static final long serialVersionUID = 1L;

    private final int code;
    private final transient Set<String> labels = new HashSet<>();

    public MongoException(int code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    public MongoException(String message) {
        this(-3, message, null);
    }

    public int getCode() {
        return code;
    }

    public Set<String> getErrorLabels() {
        return Set.copyOf(labels);
    }

    public boolean hasErrorLabel(String label) {
        return labels.contains(label);
    }

    public void addLabel(String label) {
        labels.add(label);
    }

    public void removeLabel(String label) {
        labels.remove(label);
    }

    /** The server is overloaded and did not run the command. */
    public boolean isRetryableOverload() {
        return hasErrorLabel(SYSTEM_OVERLOADED_ERROR_LABEL) && hasErrorLabel(RETRYABLE_ERROR_LABEL);
    }

    /** Never null. */
    public String text() {
        String message = getMessage();
        return message == null ? "" : message;
    }
}

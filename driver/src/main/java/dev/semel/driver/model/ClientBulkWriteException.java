package dev.semel.driver.model;

import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.WriteConcernError;
import dev.semel.driver.error.WriteError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A bulk write of a client failed or was not completed. If the reason is not the error of a statement, it is the cause
 * of this exception. {@code getPartialResult} returns what was applied.
 */
public final class ClientBulkWriteException extends MongoException {
    private static final long serialVersionUID = 1L;

    private final transient Map<Integer, WriteError> writeErrors;
    private final transient List<WriteConcernError> writeConcernErrors;
    private final transient @Nullable ClientBulkWriteResult partialResult;

    public ClientBulkWriteException(
            @Nullable MongoException cause,
            Map<Integer, WriteError> writeErrors,
            List<WriteConcernError> writeConcernErrors,
            @Nullable ClientBulkWriteResult partialResult) {
        super(
                cause == null ? -3 : cause.getCode(),
                "Client bulk write failed. "
                        + (cause == null ? "" : "It ended with: " + cause.getMessage() + ". ")
                        + (writeErrors.isEmpty() ? "" : "Write errors by index: " + writeErrors + ". ")
                        + (writeConcernErrors.isEmpty() ? "" : "Write concern errors: " + writeConcernErrors),
                cause);
        this.writeErrors = Map.copyOf(writeErrors);
        this.writeConcernErrors = List.copyOf(writeConcernErrors);
        this.partialResult = partialResult;
    }

    /** The errors of statements, by their indexes. */
    public Map<Integer, WriteError> getWriteErrors() {
        return writeErrors;
    }

    public List<WriteConcernError> getWriteConcernErrors() {
        return writeConcernErrors;
    }

    /** Empty if nothing was applied, or if it is unknown. */
    public Optional<ClientBulkWriteResult> getPartialResult() {
        return Optional.ofNullable(partialResult);
    }
}

package dev.semel.driver.model;

import dev.semel.driver.error.MongoServerException;
import dev.semel.driver.error.WriteConcernError;
import dev.semel.driver.setting.ServerAddress;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Some statements of a bulk write failed; the result contains what was applied. */
public final class MongoBulkWriteException extends MongoServerException {
    private static final long serialVersionUID = 1L;

    private final transient BulkWriteResult result;
    private final transient List<BulkWriteError> errors;
    private final transient @Nullable WriteConcernError writeConcernError;

    public MongoBulkWriteException(
            BulkWriteResult result,
            List<BulkWriteError> errors,
            @Nullable WriteConcernError writeConcernError,
            ServerAddress address) {
        super(
                -3,
                "",
                "Bulk write operation error on server " + address + ". "
                        + (errors.isEmpty() ? "" : "Write errors: " + errors + ". ")
                        + (writeConcernError == null ? "" : "Write concern error: " + writeConcernError),
                address);
        this.result = result;
        this.errors = List.copyOf(errors);
        this.writeConcernError = writeConcernError;
    }

    /** The partial result of a bulk write that failed, but not with the error of a statement, for example in the network. */
    public static Optional<BulkWriteResult> partialResult(Throwable failure) {
        if (failure instanceof MongoBulkWriteException bulk) {
            return Optional.of(bulk.result);
        }
        return Stream.of(failure.getSuppressed())
                .filter(PartialResult.class::isInstance)
                .map(each -> ((PartialResult) each).result)
                .findFirst();
    }

    public static void addPartialResult(Throwable failure, BulkWriteResult result) {
        failure.addSuppressed(new PartialResult(result));
    }

    /** Attached to an exception of another type; {@link #partialResult} returns its contents. */
    private static final class PartialResult extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient BulkWriteResult result;

        PartialResult(BulkWriteResult result) {
            super("Done before: " + result, null, false, false);
            this.result = result;
        }
    }

    public BulkWriteResult getWriteResult() {
        return result;
    }

    public List<BulkWriteError> getWriteErrors() {
        return errors;
    }

    public @Nullable WriteConcernError getWriteConcernError() {
        return writeConcernError;
    }
}

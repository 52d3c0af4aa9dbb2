package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a client may do about an error, said by the server because only it knows whether anything has happened. */
final class ErrorLabels {
    private static final String RETRYABLE_WRITE = "RetryableWriteError";
    private static final String NO_WRITES_PERFORMED = "NoWritesPerformed";
    private static final String TRANSIENT_TRANSACTION = "TransientTransactionError";
    private static final String NON_RESUMABLE = "NonResumableChangeStreamError";

    /** Network errors, a primary that is none any more, a shutdown: the same write may succeed elsewhere or later. */
    private static final Set<Integer> RETRYABLE =
            Set.of(6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436);

    /** Conflicts, lost snapshots, a primary that is none any more: the same transaction may succeed from its start. */
    private static final Set<Integer> TRANSIENT =
            Set.of(24, 112, 239, 246, 250, 251, 267, 272, 91, 189, 10058, 10107, 11600, 11602, 13435, 13436);

    /** A change stream cannot go on behind its last event. */
    private static final Set<Integer> NOT_RESUMABLE = Set.of(280, 286);

    /** Those of them after which a commit has certainly not happened. */
    private static final Set<Integer> TRANSIENT_IN_COMMIT = Set.of(24, 112, 239, 246, 250, 251, 267, 272);

    /** A write that was in flight to other members when this one stepped down may have been applied. */
    private static final ErrorCode IN_FLIGHT = ErrorCode.InterruptedDueToReplStateChange;

    private ErrorLabels() {}

    /** Those that were thrown with the failure, and those that go with its code and the command. */
    static List<String> of(Call call, CommandException failure) {
        List<String> imposed = Faults.labels(call);
        if (imposed != null) {
            return imposed;
        }
        boolean isRetryable = isRetryableWrite(call, failure.code());
        boolean isTransient = isTransient(call, failure.code());
        boolean isNotResumable = NOT_RESUMABLE.contains(failure.code().number());
        if (!isRetryable && !isTransient && !isNotResumable) {
            return failure.labels();
        }
        Set<String> labels = new LinkedHashSet<>(failure.labels());
        if (isRetryable) {
            labels.add(RETRYABLE_WRITE);
            if (call.isRetryableWrite() && !call.hasWritten() && !IN_FLIGHT.equals(failure.code())) {
                labels.add(NO_WRITES_PERFORMED);
            }
        }
        if (isNotResumable) {
            labels.add(NON_RESUMABLE);
        }
        if (isTransient) {
            labels.add(TRANSIENT_TRANSACTION);
        }
        return List.copyOf(labels);
    }

    /** The write has happened: a transaction need not start again. */
    static List<String> ofWriteConcernError(Call call, ErrorCode code) {
        List<String> imposed = Faults.labels(call);
        if (imposed != null) {
            return imposed;
        }
        return isRetryableWrite(call, code) ? List.of(RETRYABLE_WRITE) : List.of();
    }

    /** Whether a driver that sent a transaction number may send the same again. */
    private static boolean isRetryableWrite(Call call, ErrorCode code) {
        boolean mayRetry = call.isRetryableWrite()
                || (call.isInSessionTransaction() && call.spec().is(Spec.Trait.ENDS_TRANSACTION));
        return mayRetry && RETRYABLE.contains(code.number());
    }

    private static boolean isTransient(Call call, ErrorCode code) {
        if (!call.isInSessionTransaction()) {
            return false;
        }
        Set<Integer> codes = call.spec().is(Spec.Trait.ENDS_TRANSACTION) ? TRANSIENT_IN_COMMIT : TRANSIENT;
        return codes.contains(code.number());
    }
}

package dev.semel.server.statement;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.Set;

/** Which failures are what a statement came to, and which say that it was not to be at this time. */
final class Failures {
    /** The next attempt may well succeed. */
    private static final Set<ErrorCode> OF_THE_MOMENT = Set.of(
            ErrorCode.InternalError,
            ErrorCode.LockTimeout,
            ErrorCode.MaxTimeMSExpired,
            ErrorCode.ShutdownInProgress,
            ErrorCode.WriteConflict,
            ErrorCode.ExceededMemoryLimit,
            ErrorCode.PrimarySteppedDown,
            ErrorCode.CursorKilled,
            ErrorCode.SnapshotTooOld,
            ErrorCode.SnapshotUnavailable,
            ErrorCode.NoSuchTransaction,
            ErrorCode.TransactionTooLarge,
            ErrorCode.ExceededTimeLimit,
            ErrorCode.ClientDisconnect,
            ErrorCode.TransactionExceededLifetimeLimitSeconds,
            ErrorCode.QueryExceededMemoryLimitNoDiskUseAllowed,
            ErrorCode.TemporarilyUnavailable,
            ErrorCode.ResourceExhausted,
            ErrorCode.NotWritablePrimary,
            ErrorCode.InterruptedAtShutdown,
            ErrorCode.Interrupted,
            ErrorCode.InterruptedDueToReplStateChange,
            ErrorCode.OutOfDiskSpace,
            ErrorCode.location(16759),
            ErrorCode.location(16760));

    private Failures() {}

    /** Whether the same answer is due when the command comes again. */
    static boolean isResult(CommandException failure) {
        return !OF_THE_MOMENT.contains(failure.code()) && failure.labels().isEmpty();
    }

    /** Whether a session's transaction has to begin again, so that the whole command fails and not one of its statements. */
    static boolean isOfTransaction(CommandException e) {
        return e.labels().contains("TransientTransactionError")
                || e.code().equals(ErrorCode.SnapshotTooOld)
                || e.code().equals(ErrorCode.SnapshotUnavailable);
    }

    /**
     * What stops a command stops all its statements; a server or a collection that cannot be written to cannot be written to
     * by the next statement either.
     */
    static void throwUnlessStatement(CommandException e) {
        ErrorCode code = e.code();
        if (code.equals(ErrorCode.MaxTimeMSExpired)
                || code.equals(ErrorCode.CursorKilled)
                || code.equals(ErrorCode.Interrupted)
                || code.equals(ErrorCode.InterruptedAtShutdown)
                || code.equals(ErrorCode.InterruptedDueToReplStateChange)
                || code.equals(ErrorCode.ClientDisconnect)
                || code.equals(ErrorCode.ShutdownInProgress)
                || code.equals(ErrorCode.InvalidNamespace)
                || code.equals(ErrorCode.NotWritablePrimary)) {
            throw e;
        }
    }
}

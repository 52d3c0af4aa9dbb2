package dev.semel.driver.execution;

import dev.semel.driver.error.MongoConnectionPoolClearedException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.error.MongoWriteConcernException;
import java.util.Set;

/** What the driver itself says about failures around a transaction: run it all again, or commit again. */
final class TransactionLabels {
    /** Write concern errors that say that the commit itself was refused, so that its result is known. */
    private static final Set<Integer> COMMIT_REFUSED = Set.of(79, 100);

    private static final int MAX_TIME_MS_EXPIRED = 50;

    private TransactionLabels() {}

    static void add(Operation<?> operation, MongoException failure, boolean inTransaction) {
        boolean isUnreachable = failure instanceof MongoSocketException
                || failure instanceof MongoConnectionPoolClearedException
                || (failure instanceof MongoTimeoutException && !(failure instanceof MongoOperationTimeoutException));
        if (operation.commandName().equals("commitTransaction")) {
            boolean isUnknown = isUnreachable
                    || failure instanceof MongoOperationTimeoutException
                    || failure.hasErrorLabel(MongoException.RETRYABLE_WRITE_ERROR_LABEL)
                    || failure.getCode() == MAX_TIME_MS_EXPIRED
                    || (failure instanceof MongoWriteConcernException concern
                            && !COMMIT_REFUSED.contains(concern.getCode()));
            if (isUnknown) {
                failure.addLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
            }
        } else if (inTransaction && isUnreachable) {
            failure.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
        }
    }

    /** Whether the transaction is over where it was, or may be: what still comes of it may go elsewhere. */
    static boolean release(Operation<?> operation, MongoException failure) {
        boolean aborts = operation.endsTransaction() && !operation.commandName().equals("commitTransaction");
        return aborts
                || failure.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
                || failure.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
    }
}

package dev.semel.server.command;

import dev.semel.server.session.ConnectionTransactions;
import dev.semel.server.session.OpenTransaction;
import dev.semel.server.session.OpenTransaction.Dialect;
import dev.semel.server.session.Session;
import dev.semel.server.session.SessionTransactions;
import dev.semel.server.session.Sessions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.thread.MustWait;

/**
 * Brings a command into the transaction it belongs to, and takes it out again. What carries a transaction number has its
 * session for itself meanwhile.
 */
final class Enlistment {
    private static final ErrorCode NOT_INSIDE = ErrorCode.location(16786);

    private final Sessions sessions;
    private final SessionTransactions sessionTransactions;
    private final ConnectionTransactions connectionTransactions;

    Enlistment(
            Sessions sessions, SessionTransactions sessionTransactions, ConnectionTransactions connectionTransactions) {
        this.sessions = sessions;
        this.sessionTransactions = sessionTransactions;
        this.connectionTransactions = connectionTransactions;
    }

    /** If this throws, there is nothing to leave. */
    void enter(Call call) {
        if (enteredConnectionTransaction(call)) {
            return;
        }
        Session named = call.session();
        if (named == null || call.txnNumber() < 0) {
            return;
        }
        if (!call.isRetryableWrite()) {
            MustWait.check();
        }
        Session session = sessions.checkOut(named, call.txnNumber(), call.interruption());
        call.session(session);
        boolean entered = false;
        try {
            if (call.isRetryableWrite()) {
                sessionTransactions.passedBy(session, call.txnNumber());
            } else if (!call.spec().is(Spec.Trait.ENDS_TRANSACTION)) {
                TransactionRules.check(call);
                call.enter(transaction(session, call));
            }
            entered = true;
        } finally {
            if (!entered) {
                session.checkIn();
            }
        }
    }

    /** Whatever number the command carries: a driver adds one to every write, and the transaction has none. */
    private boolean enteredConnectionTransaction(Call call) {
        if (connectionTransactions.isEmpty() || !connectionTransactions.knows(call.transactionKey())) {
            return false;
        }
        MustWait.check();
        if (endsConnectionTransaction(call)) {
            call.forgetNumber();
        }
        // The number of MongoDB's dialect is not the transaction's, and the command is refused.
        long number = call.isInSessionTransaction() ? SessionFields.NO_TXN_NUMBER : call.txnNumber();
        OpenTransaction open = connectionTransactions.enter(
                call.transactionKey(), !needsTransaction(call), number, call.interruption());
        if (open == null) {
            return false;
        }
        boolean entered = false;
        try {
            refuse(call);
            call.enter(open);
            entered = true;
            return true;
        } finally {
            if (!entered) {
                connectionTransactions.leave(call.transactionKey(), open);
            }
        }
    }

    /**
     * Whether a command that says it ends a transaction of MongoDB's dialect means the other one: some drivers add
     * {@code autocommit: false} and the number that they have used last to whatever has the name {@code commitTransaction}
     * or {@code abortTransaction}. One of MongoDB's dialect that comes late or again must not end what has been begun since;
     * it has a lower number, or it names {@code admin} and the number of a transaction that the session had.
     */
    private boolean endsConnectionTransaction(Call call) {
        Session session = call.session();
        if (session == null || !call.isInSessionTransaction() || !call.spec().is(Spec.Trait.ENDS_TRANSACTION)) {
            return false;
        }
        return call.txnNumber() >= connectionTransactions.newestNumber(call.transactionKey())
                && !sessionTransactions.isPast(session, call.txnNumber())
                && !(call.database().equals("admin") && sessionTransactions.had(session, call.txnNumber()));
    }

    /** Whether it would do something else, outside, than its client means. */
    private static boolean needsTransaction(Call call) {
        Spec spec = call.spec();
        boolean readsOrWrites =
                spec.is(Spec.Trait.IN_TRANSACTION) || spec.is(Spec.Trait.READ_CONCERN) || spec.is(Spec.Trait.WRITES);
        return readsOrWrites && !spec.is(Spec.Trait.ENDS_TRANSACTION) && !call.isInSessionTransaction();
    }

    private static void refuse(Call call) {
        if (call.isInSessionTransaction()) {
            throw new CommandException(
                    ErrorCode.ConflictingOperationInProgress,
                    "The session has a transaction open that 'beginTransaction' has begun. Commit it or roll it back"
                            + " first");
        }
        if (call.spec().is(Spec.Trait.OUTSIDE_TRANSACTION)) {
            throw new CommandException(
                    NOT_INSIDE,
                    "'%s' cannot be run within a transaction",
                    call.spec().name());
        }
    }

    private OpenTransaction transaction(Session session, Call call) {
        return call.startsTransaction()
                ? sessionTransactions.begin(
                        session, call.txnNumber(), call.readConcern().atClusterTime(), call.interruption())
                : sessionTransactions.resume(session, call.txnNumber(), call.interruption());
    }

    void leave(Call call, boolean successfully) {
        OpenTransaction transaction = call.transaction();
        if (transaction != null && transaction.dialect() == Dialect.TOKUMX) {
            connectionTransactions.leave(call.transactionKey(), transaction);
            return;
        }
        Session session = call.session();
        if (session == null || call.txnNumber() < 0) {
            return;
        }
        try {
            if (transaction != null) {
                sessionTransactions.left(session, transaction, successfully);
            }
        } finally {
            if (!call.isCommitting()) {
                session.checkIn();
            }
        }
    }

    /** After {@link #leave} of a command that was still committing: what comes again with the same number has to find its record. */
    void committed(Call call) {
        Session session = call.session();
        if (session != null && call.txnNumber() >= 0) {
            session.checkIn();
        }
    }
}

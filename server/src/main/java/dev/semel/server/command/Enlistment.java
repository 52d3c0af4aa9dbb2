package dev.semel.server.command;

import dev.semel.server.session.OpenTransaction;
import dev.semel.server.session.Session;
import dev.semel.server.session.SessionTransactions;
import dev.semel.server.session.Sessions;

/**
 * Brings a command into the transaction it belongs to, and takes it out again. What carries a transaction number has its
 * session for itself meanwhile.
 */
final class Enlistment {
    private final Sessions sessions;
    private final SessionTransactions sessionTransactions;

    Enlistment(Sessions sessions, SessionTransactions sessionTransactions) {
        this.sessions = sessions;
        this.sessionTransactions = sessionTransactions;
    }

    /** If this throws, there is nothing to leave. */
    void enter(Call call) {
        Session named = call.session();
        if (named == null || call.txnNumber() < 0) {
            return;
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

    private OpenTransaction transaction(Session session, Call call) {
        return call.startsTransaction()
                ? sessionTransactions.begin(
                        session, call.txnNumber(), call.readConcern().atClusterTime(), call.interruption())
                : sessionTransactions.resume(session, call.txnNumber(), call.interruption());
    }

    void leave(Call call, boolean successfully) {
        Session session = call.session();
        if (session == null || call.txnNumber() < 0) {
            return;
        }
        try {
            OpenTransaction transaction = call.transaction();
            if (transaction != null) {
                sessionTransactions.left(session, transaction, successfully);
            }
        } finally {
            session.checkIn();
        }
    }
}

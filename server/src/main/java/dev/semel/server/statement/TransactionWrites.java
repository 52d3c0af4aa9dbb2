package dev.semel.server.statement;

import dev.semel.server.command.Call;
import dev.semel.server.session.OpenTransaction;
import dev.semel.store.Savepoint;
import dev.semel.store.Transaction;
import dev.semel.wire.CommandException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Runs the statements of a write command in the transaction of several commands that it belongs to. */
final class TransactionWrites {
    private final Statements statements;
    private final Supplier<Atomicity> atomicity;

    TransactionWrites(Statements statements, Supplier<Atomicity> atomicity) {
        this.statements = statements;
        this.atomicity = atomicity;
    }

    /** Of a command that was stopped, or left no record, nothing stays: its client sends all of it again. */
    void run(
            OpenTransaction inside,
            List<Write> writes,
            boolean ordered,
            Results results,
            RetryHistory history,
            Call call) {
        boolean done = false;
        try {
            undoneOnFailure(inside.transaction(), same -> {
                eachInside(inside, writes, ordered, results, history, call);
                return results;
            });
            done = true;
        } finally {
            if (!done) {
                results.clear();
            }
        }
    }

    /** What a failed statement has written is undone, its locks stay; whether the transaction goes on is its dialect's matter. */
    private void eachInside(
            OpenTransaction inside,
            List<Write> writes,
            boolean ordered,
            Results results,
            RetryHistory history,
            Call call) {
        boolean isSession = inside.dialect() == OpenTransaction.Dialect.SESSION;
        boolean asOne = !isSession && ordered && writes.size() > 1 && atomicity.get() == Atomicity.COMMAND;
        Savepoint beginning = inside.transaction().savepoint();
        history.begin();
        for (int i = 0; i < writes.size(); i++) {
            if (results.isRetried(i)) {
                continue;
            }
            Write write = writes.get(i);
            if (!asOne) {
                call.interruption().nextStatement();
            }
            try {
                results.set(i, undoneOnFailure(inside.transaction(), each -> statements.run(each, write, call)));
            } catch (CommandException e) {
                Failures.throwUnlessStatement(e);
                if (isSession) {
                    if (Failures.isOfTransaction(e)) {
                        throw e;
                    }
                    inside.fail();
                }
                results.set(i, new Outcome.Failed(e));
                if (asOne) {
                    inside.transaction().rollbackTo(beginning);
                    results.undone(i, i == 0 ? e : e.withMessage(e.text() + Writes.UNDONE));
                }
                if (isSession || ordered) {
                    break;
                }
            }
        }
        history.write(inside.transaction(), writes, results, 0, writes.size(), true);
        history.appended();
    }

    /** Whatever the failure is: a transaction that goes on must not keep half a statement. */
    static <T> T undoneOnFailure(Transaction transaction, Function<Transaction, T> statement) {
        Savepoint before = transaction.savepoint();
        boolean done = false;
        try {
            T result = statement.apply(transaction);
            done = true;
            return result;
        } finally {
            if (!done) {
                transaction.rollbackTo(before);
            }
        }
    }
}

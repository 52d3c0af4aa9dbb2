package dev.semel.server.statement;

import dev.semel.server.command.Call;
import dev.semel.server.command.Reply;
import dev.semel.server.once.Fingerprint;
import dev.semel.server.once.Gate;
import dev.semel.server.once.TokenTable;
import dev.semel.server.session.OpenTransaction;
import dev.semel.store.Savepoint;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the statements of a write command in the transactions they belong in: all of an ordered command in one, if the
 * command has to be atomic; else as a {@link WriteSequence}.
 */
public final class Writes {
    static final String UNDONE =
            " :: the whole command has been undone, because it is ordered and writeAtomicity is 'command'";

    private final Autocommit autocommit;
    private final TransactionWrites inTransaction;
    private final Statements statements;
    private final Supplier<Atomicity> atomicity;
    private final Gate gate;
    private final TokenGate tokens;

    public Writes(
            Transactions transactions,
            Statements statements,
            Supplier<Atomicity> atomicity,
            Function<Call, LockPolicy> lockPolicy,
            Gate gate,
            TokenTable tokens) {
        autocommit = new Autocommit(transactions, lockPolicy);
        inTransaction = new TransactionWrites(statements, atomicity);
        this.statements = statements;
        this.atomicity = atomicity;
        this.gate = gate;
        this.tokens = new TokenGate(transactions, tokens, lockPolicy);
    }

    /** What became of each statement; a failure that is not a statement's own, such as the deadline, is thrown. */
    public Results run(List<Write> writes, boolean ordered, Call call) {
        for (Write write : writes) {
            WriteCounts.count(write, call);
            refuseRetryable(write, call);
        }
        Results results = new Results(writes.size());
        Supplier<Fingerprint> fingerprint = () -> Fingerprints.of(call.spec().name(), writes, ordered);
        try (RetryHistory history = RetryHistory.of(call, gate, tokens, writes.size(), fingerprint)) {
            boolean isDone = history.recall(writes, results);
            if (results.retried() > 0 || isDone) {
                autocommit.sawNewest(call);
            }
            if (!isDone) {
                run(writes, ordered, results, history, call);
            }
            history.finish(writes, results);
        }
        return results;
    }

    private void run(List<Write> writes, boolean ordered, Results results, RetryHistory history, Call call) {
        OpenTransaction inside = call.transaction();
        try {
            if (inside != null) {
                inTransaction.run(inside, writes, ordered, results, history, call);
            } else if (ordered && writes.size() > 1 && atomicity.get() == Atomicity.COMMAND) {
                allOrNothing(writes, results, history, call);
            } else {
                new WriteSequence(autocommit, statements, writes, ordered, results, history, call).run();
            }
        } finally {
            WriteCounts.countOutcomes(results, call);
        }
    }

    /** One statement in its own transaction, whatever it is, or in the one that the command belongs to. */
    public <T> T single(Call call, Function<Transaction, T> statement) {
        OpenTransaction inside = call.transaction();
        if (inside != null) {
            return TransactionWrites.undoneOnFailure(inside.transaction(), statement);
        }
        return autocommit.run(call, transaction -> {
            T result = statement.apply(transaction);
            CommitFault.inject(call);
            return result;
        });
    }

    /**
     * Statements of a command that does not report each of them: in one transaction, up to the first that fails or whose
     * outcome is refused; that one is thrown when those before it are committed.
     *
     * @param statement makes the statement of a part when it is its turn, so that one at a time is there
     */
    public <T> void together(List<T> parts, Function<T, Write> statement, Consumer<Outcome> check, Call call) {
        CommandException failure = autocommit
                .run(call, transaction -> {
                    for (T part : parts) {
                        Savepoint before = transaction.savepoint();
                        try {
                            check.accept(statements.run(transaction, statement.apply(part), call));
                        } catch (CommandException e) {
                            Failures.throwUnlessStatement(e);
                            transaction.rollbackTo(before);
                            return new Ended(e);
                        }
                    }
                    return Ended.WELL;
                })
                .failure();
        if (failure != null) {
            throw failure;
        }
    }

    private record Ended(@Nullable CommandException failure) {
        static final Ended WELL = new Ended(null);
    }

    /** The same for a command that is one statement and answers with more than numbers; a retry gets the same answer. */
    public Reply answered(Call call, Supplier<Fingerprint> fingerprint, Function<Transaction, BsonWriter> statement) {
        try (RetryHistory history = RetryHistory.of(call, gate, tokens, 1, fingerprint)) {
            if (history.isNone()) {
                return Reply.of(single(call, statement));
            }
            Reply before = history.recallAnswer();
            if (before != null) {
                autocommit.sawNewest(call);
                return before;
            }
            return first(call, statement, history);
        }
    }

    private Reply first(Call call, Function<Transaction, BsonWriter> statement, RetryHistory history) {
        try {
            RawDocument reply = single(call, transaction -> {
                history.begin();
                history.stating(transaction, 0);
                RawDocument answer = statement.apply(transaction).finish();
                history.writeAnswer(transaction, answer);
                return answer;
            });
            return Reply.of(reply);
        } catch (CommandException e) {
            history.failed(e);
            throw e;
        }
    }

    private void allOrNothing(List<Write> writes, Results results, RetryHistory history, Call call) {
        int[] current = new int[1];
        try {
            autocommit.run(call, transaction -> {
                results.clear();
                history.begin();
                for (int i = 0; i < writes.size(); i++) {
                    if (!results.isRetried(i)) {
                        current[0] = i;
                        history.stating(transaction, i);
                        results.set(i, statements.run(transaction, writes.get(i), call));
                        CommitFault.inject(call);
                    }
                }
                history.write(transaction, writes, results, 0, writes.size(), true);
                return results;
            });
            history.appended();
        } catch (CommandException e) {
            Failures.throwUnlessStatement(e);
            results.undone(current[0], current[0] == 0 ? e : e.withMessage(e.text() + UNDONE));
        }
    }

    /** A driver may send a command with a transaction number twice; of many documents it could not say which are done. */
    private static void refuseRetryable(Write write, Call call) {
        boolean multi = switch (write) {
            case Write.Insert ignored -> false;
            case Write.Update update -> update.multi();
            case Write.Delete delete -> delete.multi();
        };
        if (multi && call.txnNumber() >= 0 && !call.isInSessionTransaction()) {
            throw new CommandException(
                    ErrorCode.InvalidOptions, "Cannot use retryable writes with multi=true or limit=0");
        }
    }
}

package dev.semel.server.statement;

import dev.semel.server.command.Call;
import dev.semel.server.command.Reply;
import dev.semel.server.once.Fingerprint;
import dev.semel.server.once.Gate;
import dev.semel.server.once.TokenTable;
import dev.semel.server.session.OpenTransaction;
import dev.semel.store.Commit;
import dev.semel.store.Isolation;
import dev.semel.store.Savepoint;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.DeadlockVictim;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the statements of a write command in the transactions they belong in: all of an ordered command in one, where the
 * command is to be atomic; else each in its own, except that neighbouring inserts share one for speed, each behind a
 * savepoint. A transaction that is a deadlock's victim begins again, and its client never hears of it.
 */
public final class Writes {
    /** Neighbouring inserts share a transaction up to this size: beyond it sharing saves nothing more. */
    private static final int GROUP_BYTES_MAX = 1 << 20;

    private static final int GROUP_DOCUMENTS_MAX = 1_000;

    /** Commits on their way to disk while the next group is being prepared. */
    private static final int COMMITS_AHEAD_MAX = 4;

    private final Transactions transactions;
    private final Statements statements;
    private final Supplier<Atomicity> atomicity;
    private final Function<Call, LockPolicy> lockPolicy;
    private final Gate gate;
    private final TokenGate tokens;

    public Writes(
            Transactions transactions,
            Statements statements,
            Supplier<Atomicity> atomicity,
            Function<Call, LockPolicy> lockPolicy,
            Gate gate,
            TokenTable tokens) {
        this.transactions = transactions;
        this.statements = statements;
        this.atomicity = atomicity;
        this.lockPolicy = lockPolicy;
        this.gate = gate;
        this.tokens = new TokenGate(transactions, tokens, lockPolicy);
    }

    /** What became of each statement; a failure that is not a statement's own, such as the deadline, is thrown. */
    public Results run(List<Write> writes, boolean ordered, Call call) {
        for (Write write : writes) {
            count(write, call);
            refuseRetryable(write, call);
        }
        Results results = new Results(writes.size());
        Supplier<Fingerprint> fingerprint = () -> Fingerprints.of(call.spec().name(), writes, ordered);
        try (Remembrance remembrance = Remembrance.of(call, gate, tokens, writes.size(), fingerprint)) {
            boolean isDone = remembrance.recall(writes, results);
            if (results.retried() > 0 || isDone) {
                sawNewest(call);
            }
            if (!isDone) {
                run(writes, ordered, results, remembrance, call);
            }
            remembrance.finish(writes, results);
        }
        return results;
    }

    private void run(List<Write> writes, boolean ordered, Results results, Remembrance remembrance, Call call) {
        OpenTransaction inside = call.transaction();
        try {
            if (inside != null) {
                inside(inside, writes, ordered, results, remembrance, call);
            } else if (ordered && writes.size() > 1 && atomicity.get() == Atomicity.COMMAND) {
                allOrNothing(writes, results, remembrance, call);
            } else {
                new Sequence(writes, ordered, results, remembrance, call).run();
            }
        } finally {
            countOutcomes(results, call);
        }
    }

    /** One statement in a transaction of its own, whatever it is, or in the one that the command belongs to. */
    public <T> T single(Call call, Function<Transaction, T> statement) {
        OpenTransaction inside = call.transaction();
        if (inside != null) {
            return undoneOnFailure(inside.transaction(), statement);
        }
        return alone(call, transaction -> {
            T result = statement.apply(transaction);
            CommitFault.strike(call);
            return result;
        });
    }

    /**
     * Statements of a command that is not told of each: in one transaction, up to the first that fails or whose outcome is
     * refused; that one is thrown when those before it are committed.
     */
    public void together(List<Write> writes, Consumer<Outcome> check, Call call) {
        CommandException failure = alone(call, transaction -> {
                    for (Write write : writes) {
                        Savepoint before = transaction.savepoint();
                        try {
                            check.accept(statements.run(transaction, write, call));
                        } catch (CommandException e) {
                            throwUnlessStatement(e);
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

    private <T> T alone(Call call, Function<Transaction, T> statement) {
        call.interruption().nextStatement();
        while (true) {
            try (Transaction transaction =
                    transactions.begin(Isolation.STATEMENT, lockPolicy.apply(call), call.interruption())) {
                call.runsIn(transaction);
                T result = statement.apply(transaction);
                commit(transaction, call);
                return result;
            } catch (DeadlockVictim victim) {
                call.interruption().check();
            } catch (CommandException e) {
                sawNewest(call);
                throw e;
            }
        }
    }

    /** The same for a command that is one statement and answers with more than numbers; a retry gets the same answer. */
    public Reply answered(Call call, Supplier<Fingerprint> fingerprint, Function<Transaction, BsonWriter> statement) {
        try (Remembrance remembrance = Remembrance.of(call, gate, tokens, 1, fingerprint)) {
            if (remembrance.isNone()) {
                return Reply.of(single(call, statement));
            }
            Reply before = remembrance.recallAnswer();
            if (before != null) {
                sawNewest(call);
                return before;
            }
            return first(call, statement, remembrance);
        }
    }

    private Reply first(Call call, Function<Transaction, BsonWriter> statement, Remembrance remembrance) {
        try {
            RawDocument reply = single(call, transaction -> {
                remembrance.begin();
                remembrance.stating(transaction, 0);
                RawDocument answer = statement.apply(transaction).finish();
                remembrance.writeAnswer(transaction, answer);
                return answer;
            });
            return Reply.of(reply);
        } catch (CommandException e) {
            remembrance.failed(e);
            throw e;
        }
    }

    private void allOrNothing(List<Write> writes, Results results, Remembrance remembrance, Call call) {
        int[] current = new int[1];
        try {
            alone(call, transaction -> {
                results.clear();
                remembrance.begin();
                for (int i = 0; i < writes.size(); i++) {
                    if (!results.isRetried(i)) {
                        current[0] = i;
                        remembrance.stating(transaction, i);
                        results.set(i, statements.run(transaction, writes.get(i), call));
                        CommitFault.strike(call);
                    }
                }
                remembrance.write(transaction, writes, results, 0, writes.size(), true);
                return results;
            });
            remembrance.appended();
        } catch (CommandException e) {
            throwUnlessStatement(e);
            results.undone(current[0], current[0] == 0 ? e : e.withMessage(e.text() + UNDONE));
        }
    }

    private static final String UNDONE =
            " :: the whole command has been undone, because it is ordered and writeAtomicity is 'command'";

    // ---- in a transaction of several commands

    /** Of a command that was stopped, or left no record, nothing stays: its client sends all of it again. */
    private void inside(
            OpenTransaction inside,
            List<Write> writes,
            boolean ordered,
            Results results,
            Remembrance remembrance,
            Call call) {
        boolean done = false;
        try {
            undoneOnFailure(inside.transaction(), same -> {
                eachInside(inside, writes, ordered, results, remembrance, call);
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
            Remembrance remembrance,
            Call call) {
        boolean isSession = inside.dialect() == OpenTransaction.Dialect.SESSION;
        boolean asOne = !isSession && ordered && writes.size() > 1 && atomicity.get() == Atomicity.COMMAND;
        Savepoint beginning = inside.transaction().savepoint();
        remembrance.begin();
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
                throwUnlessStatement(e);
                if (isSession) {
                    if (e.labels().contains("TransientTransactionError")) {
                        throw e;
                    }
                    inside.fail();
                }
                results.set(i, new Outcome.Failed(e));
                if (asOne) {
                    inside.transaction().rollbackTo(beginning);
                    results.undone(i, i == 0 ? e : e.withMessage(e.text() + UNDONE));
                }
                if (isSession || ordered) {
                    break;
                }
            }
        }
        remembrance.write(inside.transaction(), writes, results, 0, writes.size(), true);
        remembrance.appended();
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

    // ---- each statement by itself

    /** The statements of one command that is not atomic as a whole. */
    private final class Sequence {
        private final List<Write> writes;
        private final boolean ordered;
        private final Results results;
        private final Remembrance remembrance;
        private final Call call;
        private final Deque<Commit> ahead = new ArrayDeque<>(COMMITS_AHEAD_MAX);

        Sequence(List<Write> writes, boolean ordered, Results results, Remembrance remembrance, Call call) {
            this.writes = writes;
            this.ordered = ordered;
            this.results = results;
            this.remembrance = remembrance;
            this.call = call;
        }

        void run() {
            try {
                int next = 0;
                while (next < writes.size()) {
                    if (results.isRetried(next)) {
                        next++;
                        continue;
                    }
                    int end = groupEnd(next);
                    if (!(writes.get(next) instanceof Write.Insert)) {
                        // It reads, and so must find what the statements before it have written.
                        awaitAhead(0);
                    }
                    boolean failed = end - next == 1 ? one(next) : group(next, end);
                    if (failed && ordered) {
                        break;
                    }
                    next = end;
                }
            } finally {
                awaitAhead(0);
            }
        }

        private int groupEnd(int start) {
            long bytes = 0;
            int end = start;
            while (end < writes.size()
                    && end - start < GROUP_DOCUMENTS_MAX
                    && bytes < GROUP_BYTES_MAX
                    && !results.isRetried(end)
                    && writes.get(end) instanceof Write.Insert(var collection, var document, var bypass)) {
                bytes += document.length();
                end++;
            }
            return Math.max(end, start + 1);
        }

        private boolean one(int index) {
            return attempt(
                    transaction -> {
                        remembrance.stating(transaction, index);
                        results.set(index, statements.run(transaction, writes.get(index), call));
                        return false;
                    },
                    index,
                    index + 1);
        }

        /** Inserts that share a transaction; the first failure of an ordered command is the last statement of it. */
        private boolean group(int start, int end) {
            return attempt(
                    transaction -> {
                        results.clear(start, end);
                        for (int i = start; i < end; i++) {
                            Savepoint before = transaction.savepoint();
                            try {
                                remembrance.stating(transaction, i);
                                results.set(i, statements.run(transaction, writes.get(i), call));
                            } catch (CommandException e) {
                                throwUnlessStatement(e);
                                transaction.rollbackTo(before);
                                results.set(i, new Outcome.Failed(e));
                                if (ordered) {
                                    return true;
                                }
                            }
                        }
                        return false;
                    },
                    start,
                    end);
        }

        private boolean attempt(Function<Transaction, Boolean> body, int start, int end) {
            call.interruption().nextStatement();
            while (true) {
                try (Transaction transaction =
                        transactions.begin(Isolation.STATEMENT, lockPolicy.apply(call), call.interruption())) {
                    call.runsIn(transaction);
                    remembrance.begin();
                    boolean failed = body.apply(transaction);
                    CommitFault.strike(results.written(start, end), call);
                    remembrance.write(
                            transaction, writes, results, start, end, end == writes.size() || (failed && ordered));
                    awaitAhead(COMMITS_AHEAD_MAX - 1);
                    boolean writes = transaction.hasWrites();
                    Commit commit = transaction.commit();
                    remembrance.appended();
                    if (writes) {
                        ahead.add(commit);
                    } else {
                        sawNewest(call);
                    }
                    return failed;
                } catch (DeadlockVictim victim) {
                    call.interruption().check();
                } catch (CommandException e) {
                    sawNewest(call);
                    throwUnlessStatement(e);
                    results.set(start, new Outcome.Failed(e));
                    return true;
                }
            }
        }

        private void awaitAhead(int allowed) {
            while (ahead.size() > allowed) {
                Commit commit = ahead.remove();
                commit.awaitApplied();
                call.committed(commit);
            }
        }
    }

    // ---- what both need

    private void commit(Transaction transaction, Call call) {
        boolean writes = transaction.hasWrites();
        Commit commit = transaction.commit();
        commit.awaitApplied();
        if (writes) {
            call.committed(commit);
        } else {
            call.saw(commit.clusterTime());
        }
    }

    /** A failure or a statement without effect tells the client of what others have committed. */
    private void sawNewest(Call call) {
        call.saw(transactions.visibleTime());
    }

    /**
     * Whoever stops a command stops all of it; a server that cannot write, and a collection that cannot be written to,
     * are so for the next statement too.
     */
    private static void throwUnlessStatement(CommandException e) {
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

    private static void count(Write write, Call call) {
        switch (write) {
            case Write.Insert ignored -> call.counters().inserts.increment();
            case Write.Update ignored -> call.counters().updates.increment();
            case Write.Delete ignored -> call.counters().deletes.increment();
        }
    }

    private static void countOutcomes(Results results, Call call) {
        long inserted = 0;
        long updated = 0;
        long deleted = 0;
        for (int i = 0; i < results.statements(); i++) {
            switch (results.isRetried(i) ? null : results.get(i)) {
                case Outcome.Inserted() -> inserted++;
                case Outcome.Updated(long matched, long modified, var upserted) -> {
                    updated += modified;
                    inserted += upserted == null ? 0 : 1;
                }
                case Outcome.Deleted(long documents) -> deleted += documents;
                case Outcome.Failed ignored -> {}
                case null -> {}
            }
        }
        if (inserted > 0) {
            call.counters().documentsInserted.add(inserted);
        }
        if (updated > 0) {
            call.counters().documentsUpdated.add(updated);
        }
        if (deleted > 0) {
            call.counters().documentsDeleted.add(deleted);
        }
    }
}

package dev.semel.server.statement;

import dev.semel.server.command.Call;
import dev.semel.store.Commit;
import dev.semel.store.Savepoint;
import dev.semel.store.Transaction;
import dev.semel.wire.CommandException;
import dev.semel.wire.thread.MustWait;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/**
 * The statements of one command that is not atomic as a whole: each in its own transaction, except that neighbouring
 * inserts share one for speed, each behind a savepoint.
 */
final class WriteSequence {
    /** Neighbouring inserts share a transaction up to this size: beyond it sharing saves nothing more. */
    private static final int GROUP_BYTES_MAX = 1 << 20;

    private static final int GROUP_DOCUMENTS_MAX = 1_000;

    /** Commits that are being synced while the next group is being prepared. */
    private static final int COMMITS_AHEAD_MAX = 4;

    private final Autocommit autocommit;
    private final Statements statements;
    private final List<Write> writes;
    private final boolean ordered;
    private final Results results;
    private final RetryHistory history;
    private final Call call;
    private final Deque<Commit> ahead = new ArrayDeque<>(COMMITS_AHEAD_MAX);

    WriteSequence(
            Autocommit autocommit,
            Statements statements,
            List<Write> writes,
            boolean ordered,
            Results results,
            RetryHistory history,
            Call call) {
        this.autocommit = autocommit;
        this.statements = statements;
        this.writes = writes;
        this.ordered = ordered;
        this.results = results;
        this.history = history;
        this.call = call;
    }

    void run() {
        if (groupEnd(0) < writes.size()) {
            // When the first has been committed, the others would have to wait where they are.
            MustWait.check();
        }
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
                    history.stating(transaction, index);
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
                            history.stating(transaction, i);
                            results.set(i, statements.run(transaction, writes.get(i), call));
                        } catch (CommandException e) {
                            Failures.throwUnlessStatement(e);
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
        try {
            return autocommit.attempt(call, transaction -> {
                history.begin();
                boolean failed = body.apply(transaction);
                CommitFault.inject(results.written(start, end), call);
                history.write(transaction, writes, results, start, end, end == writes.size() || (failed && ordered));
                commit(transaction);
                return failed;
            });
        } catch (CommandException e) {
            Failures.throwUnlessStatement(e);
            results.set(start, new Outcome.Failed(e));
            return true;
        }
    }

    private void commit(Transaction transaction) {
        awaitAhead(COMMITS_AHEAD_MAX - 1);
        boolean hasWrites = transaction.hasWrites();
        Commit commit = transaction.commit();
        history.appended();
        if (hasWrites) {
            ahead.add(commit);
        } else {
            autocommit.sawNewest(call);
        }
    }

    private void awaitAhead(int allowed) {
        while (ahead.size() > allowed) {
            call.committed(ahead.remove());
        }
    }
}

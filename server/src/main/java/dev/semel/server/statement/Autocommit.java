package dev.semel.server.statement;

import dev.semel.server.command.Call;
import dev.semel.store.Commit;
import dev.semel.store.Isolation;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.DeadlockVictim;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import java.util.function.Function;

/**
 * Runs statements, each in its own transaction. One that is the victim of a deadlock runs again, and its client never
 * hears of it.
 */
final class Autocommit {
    private final Transactions transactions;
    private final Function<Call, LockPolicy> lockPolicy;

    Autocommit(Transactions transactions, Function<Call, LockPolicy> lockPolicy) {
        this.transactions = transactions;
        this.lockPolicy = lockPolicy;
    }

    /** Returns when others see what the statement has written, unless {@link Call#committed} has it that they will. */
    <T> T run(Call call, Function<Transaction, T> statement) {
        return attempt(call, transaction -> {
            T result = statement.apply(transaction);
            boolean writes = transaction.hasWrites();
            Commit commit = transaction.commit();
            if (writes) {
                call.committed(commit);
            } else {
                call.saw(commit.clusterTime());
            }
            return result;
        });
    }

    /** The same for a statement that commits by itself. */
    <T> T attempt(Call call, Function<Transaction, T> committing) {
        call.interruption().nextStatement();
        while (true) {
            try (Transaction transaction =
                    transactions.begin(Isolation.STATEMENT, lockPolicy.apply(call), call.interruption())) {
                call.runsIn(transaction);
                return committing.apply(transaction);
            } catch (DeadlockVictim victim) {
                call.interruption().check();
            } catch (CommandException e) {
                sawNewest(call);
                throw e;
            }
        }
    }

    /** A failure or a statement without effect shows the client what others have committed. */
    void sawNewest(Call call) {
        call.saw(transactions.visibleTime());
    }
}

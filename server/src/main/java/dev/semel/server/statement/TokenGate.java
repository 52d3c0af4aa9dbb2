package dev.semel.server.statement;

import dev.semel.server.command.Call;
import dev.semel.server.once.Fingerprint;
import dev.semel.server.once.TokenAttempt;
import dev.semel.server.once.TokenTable;
import dev.semel.server.once.TokenUse;
import dev.semel.server.session.OpenTransaction;
import dev.semel.store.Isolation;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.thread.MustWait;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where a command with a token begins, and where its outcome is stored if none of its own commits has done that. */
final class TokenGate {
    private final Transactions transactions;
    private final TokenTable table;
    private final Function<Call, LockPolicy> lockPolicy;

    TokenGate(Transactions transactions, TokenTable table, Function<Call, LockPolicy> lockPolicy) {
        this.transactions = transactions;
        this.table = table;
        this.lockPolicy = lockPolicy;
    }

    /** Null for a command without a token. */
    @Nullable
    TokenAttempt enter(Call call, Supplier<Fingerprint> fingerprint) {
        TokenUse use = call.once();
        if (use == null) {
            return null;
        }
        // For others with the same token.
        MustWait.check();
        OpenTransaction inside = call.transaction();
        return inside == null
                ? TokenAttempt.alone(
                        table, use, fingerprint.get(), transactions, lockPolicy.apply(call), call.interruption())
                : TokenAttempt.within(table, use, fingerprint.get(), inside.transaction());
    }

    /** In the transaction that the command belongs to, or in one of its own. */
    void store(Call call, Consumer<Transaction> record) {
        OpenTransaction inside = call.transaction();
        if (inside != null) {
            record.accept(inside.transaction());
            return;
        }
        try (Transaction transaction =
                transactions.begin(Isolation.STATEMENT, lockPolicy.apply(call), call.interruption())) {
            record.accept(transaction);
            if (transaction.hasWrites()) {
                call.committed(transaction.commit());
            }
        }
    }
}

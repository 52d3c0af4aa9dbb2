package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.Set;

/** What a command must not touch inside a session transaction: the server's own collections have rules of their own. */
final class TransactionRules {
    private static final Set<String> DATABASES = Set.of("admin", "config", "local");

    private TransactionRules() {}

    /** Refuses with 263, before the command joins its transaction. */
    static void check(Call call) {
        Spec spec = call.spec();
        if (spec.is(Spec.Trait.ENDS_TRANSACTION)) {
            return;
        }
        for (String namespace : Namespaces.of(call)) {
            int dot = namespace.indexOf('.');
            String database = dot < 0 ? namespace : namespace.substring(0, dot);
            if (DATABASES.contains(database)) {
                throw new CommandException(
                        ErrorCode.OperationNotSupportedInTransaction,
                        "Cannot run command against the '%s' database in a transaction.",
                        database);
            }
            if (spec.is(Spec.Trait.WRITES) && namespace.startsWith("system.", dot + 1)) {
                throw new CommandException(
                        ErrorCode.OperationNotSupportedInTransaction,
                        "Cannot write to system collection %s within a transaction.",
                        namespace);
            }
        }
    }
}

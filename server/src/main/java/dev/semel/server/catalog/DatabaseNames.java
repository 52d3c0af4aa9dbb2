package dev.semel.server.catalog;

import dev.semel.store.Transaction;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The spelling of databases in which open transactions are creating collections. Databases whose names differ only in case
 * could not be stored by case-insensitive file systems, so the second one is refused. No transaction waits for another:
 * any number of transactions may create collections of one database.
 */
final class DatabaseNames {
    private final Map<String, Claim> claims = new ConcurrentHashMap<>();

    private record Claim(String name, int transactions) {}

    /** Until the transaction ends, no other can create a collection of a database of another case. */
    void claim(String database, Transaction transaction) {
        String lower = database.toLowerCase(Locale.ROOT);
        claims.compute(lower, (key, claim) -> {
            if (claim == null) {
                return new Claim(database, 1);
            }
            if (!claim.name.equals(database)) {
                throw differentCase(claim.name, database);
            }
            return new Claim(database, claim.transactions + 1);
        });
        transaction.onRelease(() -> claims.computeIfPresent(
                lower, (key, claim) -> claim.transactions == 1 ? null : new Claim(claim.name, claim.transactions - 1)));
    }

    static CommandException differentCase(String existing, String wanted) {
        return new CommandException(
                ErrorCode.DatabaseDifferCase,
                "db already exists with different case already have: [%s] trying to create [%s]",
                existing,
                wanted);
    }
}

package dev.semel.server.catalog;

import dev.semel.store.Transaction;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How the databases are written in which open transactions are making collections. Two databases whose names differ in case
 * only could not be told apart by file systems that others use, so whoever would make the second one is refused. Nobody
 * waits for anybody: any number of transactions may make collections of one database.
 */
final class DatabaseNames {
    private final Map<String, Claim> claims = new ConcurrentHashMap<>();

    private record Claim(String name, int transactions) {}

    /** Until the transaction ends nobody else can make a collection of a database of another case. */
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

package dev.semel.server.auth;

import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The users of this server. Who has logged in keeps what was read then, until {@link #changed} says that some user has
 * become another; so a command costs no look-up.
 */
public final class Users {
    public static final Namespace COLLECTION = new Namespace("admin", "system.users");

    private final Transactions transactions;
    private final Catalog catalog;
    private final AtomicLong changes = new AtomicLong();
    private volatile boolean knownToExist;

    public Users(Transactions transactions, Catalog catalog) {
        this.transactions = transactions;
        this.catalog = catalog;
    }

    // ---- who there is

    public @Nullable User find(UserName name) {
        try (Snapshot snapshot = transactions.snapshot()) {
            Collection collection = catalog.find(COLLECTION, snapshot);
            RawDocument stored =
                    collection == null ? null : collection.document(snapshot, collection.key(Value.of(name.id())));
            return stored == null ? null : User.parse(stored);
        }
    }

    /** By their databases and names. */
    public List<User> all() {
        List<User> users = new ArrayList<>();
        try (Snapshot snapshot = transactions.snapshot()) {
            Collection collection = catalog.find(COLLECTION, snapshot);
            if (collection != null) {
                try (Scan scan = snapshot.scan(Table.DOCUMENTS, collection.documents(), false)) {
                    while (scan.next()) {
                        User user = User.parse(RawDocument.of(scan.value()));
                        if (user != null) {
                            users.add(user);
                        }
                    }
                }
            }
        }
        return users;
    }

    /** Whether there has been one since the start: what is open only to the first must not open again. */
    public boolean exist() {
        if (!knownToExist) {
            knownToExist = !all().isEmpty();
        }
        return knownToExist;
    }

    // ---- who is who

    public Identity identity(User user) {
        return Identity.of(user, changes.get());
    }

    /** The same as of now; null if there is no such user any more. */
    public @Nullable Identity current(Identity known) {
        long now = changes.get();
        if (known.asOf() == now) {
            return known;
        }
        User user = find(known.name());
        return user == null || !user.id().equals(known.userId()) ? null : Identity.of(user, now);
    }

    // ---- changes, in the transaction of a command, which calls changed() once it has committed

    public void insert(Transaction transaction, User user) {
        Collection collection = catalog.locks().forInsert(COLLECTION, transaction);
        byte[] key = collection.key(Value.of(user.name().id()));
        transaction.lockExclusive(Table.DOCUMENTS, key);
        if (transaction.latest(Table.DOCUMENTS, key) != null) {
            throw new CommandException(ErrorCode.location(51003), "User \"%s\" already exists", user.name());
        }
        collection.insert(transaction, user.toDocument());
    }

    /** Makes another of a user; 11 if there is none. */
    public void change(Transaction transaction, UserName name, UnaryOperator<User> change) {
        Found found = lock(transaction, name);
        found.collection.update(
                transaction, found.key, found.stored, change.apply(found.user).toDocument());
    }

    public void delete(Transaction transaction, UserName name) {
        Found found = lock(transaction, name);
        found.collection.delete(transaction, found.key, found.stored);
    }

    private record Found(Collection collection, byte[] key, RawDocument stored, User user) {}

    /** As it is now, and stays until the transaction ends. */
    private Found lock(Transaction transaction, UserName name) {
        Collection collection = catalog.locks().forWrite(COLLECTION, transaction);
        if (collection == null) {
            throw notFound(name);
        }
        byte[] key = collection.key(Value.of(name.id()));
        transaction.lockExclusive(Table.DOCUMENTS, key);
        byte[] stored = transaction.latest(Table.DOCUMENTS, key);
        RawDocument document = stored == null ? RawDocument.EMPTY : RawDocument.of(stored);
        User user = User.parse(document);
        if (user == null) {
            throw notFound(name);
        }
        return new Found(collection, key, document, user);
    }

    private static CommandException notFound(UserName name) {
        return new CommandException(
                ErrorCode.UserNotFound, "Could not find user \"%s\" for db \"%s\"", name.name(), name.database());
    }

    /** Some user is no longer what it was. */
    public void changed() {
        changes.incrementAndGet();
    }
}

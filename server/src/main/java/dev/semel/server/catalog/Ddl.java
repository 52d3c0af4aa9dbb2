package dev.semel.server.catalog;

import dev.semel.store.Commit;
import dev.semel.store.Isolation;
import dev.semel.store.Snapshot;
import dev.semel.store.Transaction;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the catalog, each a transaction of its own. Whoever changes a collection locks its name, then the collection
 * as a whole, so nobody is writing to it; readers go on with their snapshots.
 */
public final class Ddl {
    private final Catalog catalog;
    private final Supplier<Duration> lockTimeout;
    private final List<GoneListener> listeners = new CopyOnWriteArrayList<>();

    /** Ends the cursors on a namespace that is no more what it was. */
    @FunctionalInterface
    public interface GoneListener {
        void gone(Namespace namespace, CommandException why);
    }

    /** Something done, and its commit, which has been applied; null if nothing had to be done. */
    public record Done<T extends @Nullable Object>(
            T result, @Nullable Commit commit) {}

    public Ddl(Catalog catalog, Supplier<Duration> lockTimeout) {
        this.catalog = catalog;
        this.lockTimeout = lockTimeout;
    }

    public void onGone(GoneListener listener) {
        listeners.add(listener);
    }

    Catalog catalog() {
        return catalog;
    }

    Transaction begin(Interruption interruption) {
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.CATALOG_CHANGE, lockTimeout.get());
        return catalog.transactions().begin(Isolation.STATEMENT, policy, interruption);
    }

    private static <T extends @Nullable Object> Done<T> commit(T result, Transaction transaction) {
        Commit commit = transaction.commit();
        commit.awaitApplied();
        return new Done<>(result, commit);
    }

    private void log(CatalogChange change, Transaction transaction) {
        catalog.oplog().changed(transaction, change);
    }

    private void gone(Namespace namespace, String why) {
        CommandException killed = new CommandException(ErrorCode.QueryPlanKilled, why);
        listeners.forEach(each -> each.gone(namespace, killed));
    }

    /** The newest collection of a name, both locked against everybody; null if there is none. */
    private @Nullable Collection lock(Namespace namespace, Transaction transaction) {
        catalog.lockName(namespace, transaction);
        Collection found = catalog.newest(namespace, transaction);
        if (found != null) {
            transaction.lockCollection(found.number(), LockMode.EXCLUSIVE);
        }
        return found;
    }

    // ---- collections

    /** A collection; one that exists with the same options is as good as a new one. */
    public Done<Boolean> create(Namespace namespace, CollectionOptions options, Interruption interruption) {
        RawDocument stored = options.toDocument();
        catalog.check(stored);
        try (Transaction transaction = begin(interruption)) {
            if (catalog.create(namespace, stored, transaction) != null) {
                return commit(true, transaction);
            }
            Collection existing = catalog.newest(namespace, transaction);
            if (existing != null && existing.options().equals(stored)) {
                return new Done<>(false, null);
            }
            throw new CommandException(ErrorCode.NamespaceExists, "Collection %s already exists.", namespace);
        }
    }

    /** How many indexes the collection had; null if there was none. */
    public Done<@Nullable Integer> drop(Namespace namespace, Interruption interruption) {
        Done<@Nullable Integer> done;
        try (Transaction transaction = begin(interruption)) {
            Collection found = lock(namespace, transaction);
            if (found == null) {
                return new Done<@Nullable Integer>(null, null);
            }
            refuseSystem(namespace);
            catalog.removeName(namespace, transaction);
            catalog.removeData(found, transaction);
            log(new CatalogChange.Dropped(found), transaction);
            done = Ddl.<@Nullable Integer>commit(found.indexes().size(), transaction);
        }
        gone(namespace, "collection dropped: " + namespace);
        return done;
    }

    private static void refuseSystem(Namespace namespace) {
        if (namespace.database().equals("admin") && namespace.collection().equals("system.version")) {
            throw new CommandException(
                    ErrorCode.IllegalOperation, "dropping the %s collection is not allowed", namespace);
        }
    }

    /** Whether there was anything of the database. */
    public Done<Boolean> dropDatabase(String database, Interruption interruption) {
        List<Namespace> dropped = new ArrayList<>();
        Done<Boolean> done;
        try (Transaction transaction = begin(interruption)) {
            List<Collection> found;
            try (Snapshot latest = transaction.latest()) {
                found = catalog.collections(database, latest);
            }
            for (Collection each : found) {
                Collection locked = lock(each.namespace(), transaction);
                if (locked != null) {
                    catalog.removeName(each.namespace(), transaction);
                    catalog.removeData(locked, transaction);
                    log(new CatalogChange.Dropped(locked), transaction);
                    dropped.add(each.namespace());
                }
            }
            if (dropped.isEmpty()) {
                return new Done<>(false, null);
            }
            log(new CatalogChange.DatabaseDropped(database), transaction);
            done = commit(true, transaction);
        }
        dropped.forEach(each -> gone(each, "collection dropped: " + each));
        return done;
    }

    public Done<Boolean> rename(Namespace from, Namespace to, boolean dropTarget, Interruption interruption) {
        if (from.equals(to)) {
            throw new CommandException(ErrorCode.IllegalOperation, "Can't rename a collection to itself");
        }
        Names.checkNew(to);
        Done<Boolean> done;
        try (Transaction transaction = begin(interruption)) {
            boolean inOrder = from.compareTo(to) < 0;
            Collection first = lock(inOrder ? from : to, transaction);
            Collection second = lock(inOrder ? to : from, transaction);
            Collection source = inOrder ? first : second;
            Collection target = inOrder ? second : first;
            if (source == null) {
                throw new CommandException(ErrorCode.NamespaceNotFound, "Source collection %s does not exist", from);
            }
            if (target != null && !dropTarget) {
                throw new CommandException(ErrorCode.NamespaceExists, "target namespace exists");
            }
            if (target != null) {
                catalog.removeData(target, transaction);
            } else {
                catalog.lockDatabase(to.database(), transaction);
            }
            catalog.removeName(from, transaction);
            catalog.put(source.entry().withNamespace(to), transaction);
            log(new CatalogChange.Renamed(source, to, target), transaction);
            done = commit(true, transaction);
        }
        gone(from, "collection renamed from '" + from + "' to '" + to + "'");
        gone(to, "collection renamed from '" + from + "' to '" + to + "'");
        return done;
    }

    // ---- changes of an entry

    /** Puts another entry in the place of a collection's. */
    Done<Collection> change(Namespace namespace, UnaryOperator<CollectionEntry> change, Interruption interruption) {
        try (Transaction transaction = begin(interruption)) {
            Collection found = lock(namespace, transaction);
            if (found == null) {
                throw Catalog.notFound(namespace);
            }
            CollectionEntry changed = change.apply(found.entry());
            catalog.put(changed, transaction);
            Collection after = catalog.collection(changed);
            log(new CatalogChange.Modified(found, after), transaction);
            return commit(after, transaction);
        }
    }

    /** Other options; what is not said stays. */
    public Done<Collection> changeOptions(Namespace namespace, CollectionOptions options, Interruption interruption) {
        return change(
                namespace,
                entry -> {
                    RawDocument stored = options.over(CollectionOptions.read(entry.options()))
                            .toDocument();
                    catalog.check(stored);
                    return entry.withOptions(stored);
                },
                interruption);
    }

    /** Other options of one index. */
    public Done<Collection> changeIndex(
            Namespace namespace, String name, UnaryOperator<IndexSpec> change, Interruption interruption) {
        return change(
                namespace,
                entry -> {
                    List<CollectionEntry.IndexEntry> indexes = new ArrayList<>();
                    for (CollectionEntry.IndexEntry each : entry.indexes()) {
                        boolean meant = each.spec().name().equals(name);
                        indexes.add(
                                meant
                                        ? new CollectionEntry.IndexEntry(each.number(), change.apply(each.spec()))
                                        : each);
                    }
                    return entry.withIndexes(indexes);
                },
                interruption);
    }

    /** How many indexes there were. */
    public Done<Integer> dropIndexes(
            Namespace namespace, Function<Collection, List<Index>> which, Interruption interruption) {
        try (Transaction transaction = begin(interruption)) {
            Collection found = lock(namespace, transaction);
            if (found == null) {
                throw new CommandException(ErrorCode.NamespaceNotFound, "ns not found %s", namespace);
            }
            List<Index> chosen = which.apply(found);
            List<Integer> dropped = chosen.stream().map(Index::number).toList();
            int before = found.indexes().size();
            if (dropped.isEmpty()) {
                return new Done<>(before, null);
            }
            CollectionEntry entry = found.entry();
            catalog.put(
                    entry.withIndexes(entry.indexes().stream()
                            .filter(each -> !dropped.contains(each.number()))
                            .toList()),
                    transaction);
            dropped.forEach(number -> catalog.removeIndexData(number, transaction));
            chosen.forEach(each -> log(new CatalogChange.IndexDropped(found, each.spec()), transaction));
            return commit(before, transaction);
        }
    }
}

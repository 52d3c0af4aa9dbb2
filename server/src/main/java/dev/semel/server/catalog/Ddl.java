package dev.semel.server.catalog;

import dev.semel.store.Commit;
import dev.semel.store.Fact;
import dev.semel.store.Isolation;
import dev.semel.store.Savepoint;
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
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the catalog, each its own transaction, or a part of one that is open. A change of a collection locks
 * its name, then the collection as a whole, so that there are no writers; readers go on with their snapshots.
 */
public final class Ddl {
    private final Catalog catalog;
    private final Supplier<Duration> lockTimeout;
    private final RunningBuilds builds = new RunningBuilds();

    /**
     * Where a change belongs.
     *
     * @param open the transaction that commits it with whatever else it does; null for one of its own
     */
    public record Scope(@Nullable Transaction open, Interruption interruption) {
        /** A change by itself. */
        public static Scope own(Interruption interruption) {
            return new Scope(null, interruption);
        }
    }

    /** Something done, and its commit, which has been applied; null if nothing had to be done, or it is not committed yet. */
    public record Done<T extends @Nullable Object>(
            T result, @Nullable Commit commit) {}

    public Ddl(Catalog catalog, Supplier<Duration> lockTimeout) {
        this.catalog = catalog;
        this.lockTimeout = lockTimeout;
    }

    Catalog catalog() {
        return catalog;
    }

    RunningBuilds builds() {
        return builds;
    }

    Transaction begin(Interruption interruption) {
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.CATALOG_CHANGE, lockTimeout.get());
        return catalog.transactions().begin(Isolation.STATEMENT, policy, interruption);
    }

    /** One change in progress. */
    static final class Change {
        private final Transaction transaction;

        private Change(Transaction transaction) {
            this.transaction = transaction;
        }

        Transaction transaction() {
            return transaction;
        }

        /** Once it is committed, the cursors on a namespace end: it is no more what it was. */
        void gone(Namespace namespace, String why) {
            transaction.append((draft, all) -> draft.add(new Fact.NamespaceGone(namespace, why)));
        }
    }

    /** A failure leaves nothing, in an open transaction neither. */
    <T extends @Nullable Object> Done<T> run(Scope scope, Function<Change, T> work) {
        Transaction open = scope.open();
        return open == null ? alone(scope.interruption(), work) : inside(open, work);
    }

    private <T extends @Nullable Object> Done<T> alone(Interruption interruption, Function<Change, T> work) {
        try (Transaction transaction = begin(interruption)) {
            Change change = new Change(transaction);
            T result = work.apply(change);
            if (!transaction.hasWrites()) {
                return new Done<>(result, null);
            }
            Commit commit = transaction.commit();
            commit.awaitApplied();
            return new Done<>(result, commit);
        }
    }

    private <T extends @Nullable Object> Done<T> inside(Transaction open, Function<Change, T> work) {
        Savepoint before = open.savepoint();
        Change change = new Change(open);
        boolean done = false;
        try {
            T result = work.apply(change);
            open.publish();
            done = true;
            return new Done<>(result, null);
        } finally {
            if (!done) {
                open.rollbackTo(before);
            }
        }
    }

    private void log(CatalogChange change, Transaction transaction) {
        catalog.oplog().changed(transaction, change);
    }

    /** The newest collection of a name, both locked exclusively; null if there is none. */
    @Nullable
    Collection lock(Namespace namespace, Transaction transaction) {
        catalog.writer().lockName(namespace, transaction);
        Collection found = catalog.newest(namespace, transaction);
        if (found != null) {
            transaction.lockCollection(found.number(), LockMode.EXCLUSIVE);
        }
        return found;
    }

    // ---- collections

    /** A collection, and whether it is new; one that exists with the same options is as good. */
    public Done<Boolean> create(Namespace namespace, CollectionOptions options, Scope scope) {
        RawDocument stored = options.toDocument();
        catalog.factory().check(stored);
        return run(scope, change -> {
            View view = options.view();
            if (view != null) {
                catalog.writer().lockName(namespace, change.transaction());
                ViewDefinitions.check(namespace, view, options.collated(), catalog, change.transaction());
            }
            Collection created = catalog.writer().create(namespace, stored, change.transaction());
            if (created != null) {
                TimeSeries series = options.timeSeries();
                if (series != null && !series.indexes().isEmpty()) {
                    catalog.writer().addIndexes(created, series.indexes(), change.transaction(), made -> {});
                }
                return true;
            }
            Collection existing = catalog.newest(namespace, change.transaction());
            if (existing != null && existing.options().equals(stored)) {
                return false;
            }
            throw new CommandException(ErrorCode.NamespaceExists, "Collection %s already exists.", namespace);
        });
    }

    /** How many indexes the collection had, none if it was a view; null if there was nothing of this name. */
    public Done<@Nullable Integer> drop(Namespace namespace, Scope scope) {
        builds.abort(namespace, each -> true, "collection dropped");
        return this.<@Nullable Integer>run(scope, change -> {
            Collection found = lock(namespace, change.transaction());
            if (found == null) {
                Names.checkWritable(namespace);
                return null;
            }
            refuseSystem(namespace);
            remove(found, change);
            return found.view() == null ? found.indexes().size() : 0;
        });
    }

    private void remove(Collection collection, Change change) {
        Namespace namespace = collection.namespace();
        catalog.writer().removeName(namespace, change.transaction());
        catalog.writer().removeData(collection, change.transaction());
        log(new CatalogChange.Dropped(collection), change.transaction());
        change.gone(namespace, "collection dropped: " + namespace);
    }

    private static void refuseSystem(Namespace namespace) {
        if (namespace.database().equals("admin") && namespace.collection().equals("system.version")) {
            throw new CommandException(
                    ErrorCode.IllegalOperation, "dropping the %s collection is not allowed", namespace);
        }
    }

    /** Whether there was anything of the database. */
    public Done<Boolean> dropDatabase(String database, Scope scope) {
        return run(scope, change -> {
            List<Collection> found;
            try (Snapshot latest = change.transaction().latest()) {
                found = catalog.collections(database, latest);
            }
            boolean any = false;
            for (Collection each : found) {
                builds.abort(each.namespace(), spec -> true, "database dropped");
                Collection locked = lock(each.namespace(), change.transaction());
                if (locked != null) {
                    remove(locked, change);
                    any = true;
                }
            }
            if (any) {
                log(new CatalogChange.DatabaseDropped(database), change.transaction());
            }
            return any;
        });
    }

    public Done<Boolean> rename(Namespace from, Namespace to, boolean dropTarget, Scope scope) {
        if (from.equals(to)) {
            throw new CommandException(ErrorCode.IllegalOperation, "Can't rename a collection to itself");
        }
        Names.checkNew(to);
        return replace(
                from,
                to,
                target -> {
                    if (target != null && !dropTarget) {
                        throw new CommandException(ErrorCode.NamespaceExists, "target namespace exists");
                    }
                },
                UnaryOperator.identity(),
                scope);
    }

    /** Gives a collection a name, and another entry, in place of one that has the name, if the check lets it. */
    Done<Boolean> replace(
            Namespace from,
            Namespace to,
            Consumer<@Nullable Collection> check,
            UnaryOperator<CollectionEntry> other,
            Scope scope) {
        return run(scope, change -> {
            Transaction transaction = change.transaction();
            boolean inOrder = from.compareTo(to) < 0;
            Collection first = lock(inOrder ? from : to, transaction);
            Collection second = lock(inOrder ? to : from, transaction);
            Collection source = inOrder ? first : second;
            Collection target = inOrder ? second : first;
            if (source == null) {
                throw new CommandException(ErrorCode.NamespaceNotFound, "Source collection %s does not exist", from);
            }
            source.requireDocuments();
            if (target != null) {
                target.requireDocuments();
            }
            check.accept(target);
            put(source, to, target, other, change);
            return true;
        });
    }

    /** Both names and collections are locked. */
    void put(
            Collection source,
            Namespace to,
            @Nullable Collection target,
            UnaryOperator<CollectionEntry> other,
            Change change) {
        Namespace from = source.namespace();
        Transaction transaction = change.transaction();
        if (target != null) {
            catalog.writer().removeData(target, transaction);
        } else {
            catalog.writer().claimDatabase(to.database(), transaction);
        }
        catalog.writer().removeName(from, transaction);
        catalog.writer().put(other.apply(source.entry()).withNamespace(to), transaction);
        log(new CatalogChange.Renamed(source, to, target), transaction);
        change.gone(from, "collection renamed from '" + from + "' to '" + to + "'");
        change.gone(to, "collection renamed from '" + from + "' to '" + to + "'");
    }

    // ---- changes of an entry

    /** Puts another entry in the place of a collection's. */
    private Done<Boolean> change(
            Namespace namespace, BiFunction<CollectionEntry, Transaction, CollectionEntry> other, Scope scope) {
        return run(scope, change -> {
            Collection found = lock(namespace, change.transaction());
            if (found == null) {
                throw Catalog.notFound(namespace);
            }
            CollectionEntry changed = other.apply(found.entry(), change.transaction());
            catalog.writer().put(changed, change.transaction());
            log(new CatalogChange.Modified(found, catalog.factory().collection(changed)), change.transaction());
            return true;
        });
    }

    /** Other options; what is not said stays. */
    public Done<Boolean> changeOptions(Namespace namespace, CollectionOptions options, Scope scope) {
        return change(
                namespace,
                (entry, transaction) -> {
                    CollectionOptions changed = options.over(CollectionOptions.read(entry.options()));
                    checkView(namespace, entry, options, changed, transaction);
                    RawDocument stored = changed.toDocument();
                    catalog.factory().check(stored);
                    return entry.withOptions(stored);
                },
                scope);
    }

    private void checkView(
            Namespace namespace,
            CollectionEntry entry,
            CollectionOptions options,
            CollectionOptions changed,
            Transaction transaction) {
        boolean isView = CollectionOptions.read(entry.options()).view() != null;
        View view = options.view();
        if (!isView && view != null) {
            throw new CommandException(ErrorCode.InvalidOptions, "'viewOn' option only supported on a view");
        }
        if (isView && options.validator() != null) {
            throw new CommandException(ErrorCode.InvalidOptions, "'validator' option not supported on a view");
        }
        if (view != null) {
            ViewDefinitions.check(namespace, view, changed.collated(), catalog, transaction);
        }
    }

    /** What becomes of an index. */
    public interface IndexChange {
        /** Of which index; everything about the collection stays as it is from now on, and the view shows all of it. */
        Index index(Collection collection);

        IndexSpec changed(Collection collection, Index index, Snapshot latest);
    }

    /** Other options of one index. */
    public Done<Boolean> changeIndex(Namespace namespace, IndexChange change, Scope scope) {
        return change(
                namespace,
                (entry, transaction) -> {
                    Collection collection = catalog.factory().collection(entry).requireDocuments();
                    Index index = change.index(collection);
                    IndexSpec changed;
                    try (Snapshot latest = transaction.latest()) {
                        changed = change.changed(collection, index, latest);
                    }
                    return entry.withIndexes(entry.indexes().stream()
                            .map(each -> each.number() == index.number()
                                    ? CollectionEntry.IndexEntry.ready(each.number(), changed)
                                    : each)
                            .toList());
                },
                scope);
    }

    /** Makes the build of an index fail that is about to be dropped, with those built beside it; returns which these were. */
    public List<IndexSpec> abortBuild(Namespace namespace, Predicate<IndexSpec> meant) {
        return builds.abort(namespace, meant, "dropIndexes command");
    }

    /** How many indexes there were. */
    public Done<Integer> dropIndexes(Namespace namespace, Function<Collection, List<Index>> which, Scope scope) {
        return run(scope, change -> {
            Collection found = lock(namespace, change.transaction());
            if (found == null) {
                throw new CommandException(ErrorCode.NamespaceNotFound, "ns not found %s", namespace);
            }
            found.requireDocuments();
            List<Index> chosen = which.apply(found);
            List<Integer> dropped = chosen.stream().map(Index::number).toList();
            int before = found.indexes().size();
            if (!dropped.isEmpty()) {
                CollectionEntry entry = found.entry();
                catalog.writer()
                        .put(
                                entry.withIndexes(entry.indexes().stream()
                                        .filter(each -> !dropped.contains(each.number()))
                                        .toList()),
                                change.transaction());
                dropped.forEach(number -> catalog.writer().removeIndexData(number, change.transaction()));
            }
            chosen.forEach(each -> log(new CatalogChange.IndexDropped(found, each.spec()), change.transaction()));
            return before;
        });
    }
}

package dev.semel.server.catalog;

import dev.semel.query.filter.Filter;
import dev.semel.query.value.Collation;
import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which collections exist, as of a snapshot or of now. Entries are versioned by commit like everything else: a read goes
 * by the catalog of its snapshot, a write by the newest one, which its lock on the collection keeps from changing.
 */
public final class Catalog implements AutoCloseable {
    private final Transactions transactions;
    private final StoredFilters filters;
    private final Supplier<UUID> uuids;
    private final Oplog oplog;
    private final Numbers numbers;
    private final Slots slots = new Slots();
    private final DatabaseNames databaseNames = new DatabaseNames();
    private final Sizes sizes = new Sizes();

    /** By the number of the index; shared by all versions of a collection. */
    private final Map<Integer, Multikey> multikeys = new ConcurrentHashMap<>();

    /** By the number of an index that is being built. */
    private final Map<Integer, SkippedDocuments> skipped = new ConcurrentHashMap<>();

    private Catalog(Transactions transactions, StoredFilters filters, Supplier<UUID> uuids, Oplog oplog) {
        this.transactions = transactions;
        this.filters = filters;
        this.uuids = uuids;
        this.oplog = oplog;
        this.numbers = new Numbers(transactions);
    }

    UUID newUuid() {
        return uuids.get();
    }

    /** Also clears away what a crash has left of unfinished index builds. */
    public static Catalog open(Transactions transactions, StoredFilters filters, Supplier<UUID> uuids, Oplog oplog) {
        Catalog catalog = new Catalog(transactions, filters, uuids, oplog);
        catalog.load();
        return catalog;
    }

    private void load() {
        Snapshot snapshot = transactions.snapshot();
        List<CollectionEntry> entries = new ArrayList<>();
        List<CollectionEntry> building = new ArrayList<>();
        forEachEntry(snapshot, CatalogRows.COLLECTIONS, entry -> {
            entries.add(entry.withoutBuilds());
            if (entry.isBuilding()) {
                building.add(entry.withoutBuilds());
            }
        });
        for (CollectionEntry entry : entries) {
            for (CollectionEntry.IndexEntry index : entry.indexes()) {
                loadMultikey(snapshot, index);
            }
        }
        List<Integer> unfinished = new ArrayList<>();
        try (Scan scan = snapshot.scan(Table.CATALOG, CatalogRows.BUILDS, false)) {
            while (scan.next()) {
                unfinished.add(CatalogRows.number(scan.key()));
            }
        }
        sizes.load(snapshot, entries.stream().map(CollectionEntry::number).toList());
        entries.forEach(entry -> slots.load(collection(entry)));
        cleanUp(building, unfinished);
    }

    private void cleanUp(List<CollectionEntry> building, List<Integer> unfinished) {
        try (Transaction transaction = transactions.begin(
                Isolation.STATEMENT,
                LockPolicy.of(LockPolicy.Kind.CATALOG_CHANGE, Duration.ZERO),
                Interruption.unlimited())) {
            Sizes.forgetStored(transaction);
            building.forEach(entry -> put(entry, transaction));
            unfinished.forEach(number -> removeBuild(transaction, number));
            transaction.commit().awaitApplied();
        }
    }

    private void loadMultikey(Snapshot snapshot, CollectionEntry.IndexEntry index) {
        Multikey multikey = newMultikey(index);
        try (Scan scan = snapshot.scan(Table.CATALOG, CatalogRows.multikeysOf(index.number()), false)) {
            while (scan.next()) {
                multikey.store(scan.key()[5], scan.key()[6]);
            }
        }
    }

    // ---- as of a snapshot

    /** The collection of this name in a snapshot, a transaction's own view included, or null if there is none. */
    public @Nullable Collection find(Namespace namespace, Snapshot snapshot) {
        Slots.Slot slot = slots.get(namespace);
        if (slot == null) {
            if (slots.isAbsent(snapshot.clusterTime())) {
                return null;
            }
        } else if (slot.answers(snapshot.clusterTime())) {
            return slot.collection();
        }
        byte[] row = snapshot.get(Table.CATALOG, CatalogRows.collection(namespace));
        Collection found = row == null ? null : collection(CollectionEntry.read(namespace, row));
        if (slot != null
                && !snapshot.showsUncommitted()
                && Long.compareUnsigned(snapshot.clusterTime(), slot.since()) >= 0) {
            slots.know(namespace, slot, found);
        }
        return found;
    }

    /** The same, where there must be one: 26 NamespaceNotFound otherwise. */
    public Collection require(Namespace namespace, Snapshot snapshot) {
        Collection found = find(namespace, snapshot);
        if (found == null) {
            throw notFound(namespace);
        }
        return found;
    }

    /** The collections of a database by name. */
    public List<Collection> collections(String database, Snapshot snapshot) {
        List<Collection> found = new ArrayList<>();
        forEachEntry(snapshot, CatalogRows.collectionsOf(database), entry -> found.add(collection(entry)));
        return found;
    }

    /** The names of the databases that have a collection. */
    public List<String> databases(Snapshot snapshot) {
        List<String> names = new ArrayList<>();
        try (Scan scan = snapshot.scan(Table.CATALOG, CatalogRows.COLLECTIONS, false)) {
            while (scan.next()) {
                String name = CatalogRows.namespace(scan.key()).database();
                names.add(name);
                byte[] next = CatalogRows.collectionsOf(name).high();
                if (next != null) {
                    scan.seek(next);
                }
            }
        }
        return names;
    }

    public List<Collection> all(Snapshot snapshot) {
        List<Collection> found = new ArrayList<>();
        forEachEntry(snapshot, CatalogRows.COLLECTIONS, entry -> found.add(collection(entry)));
        return found;
    }

    private interface EntryReader {
        void read(CollectionEntry entry);
    }

    private static void forEachEntry(Snapshot snapshot, KeyRange range, EntryReader reader) {
        try (Scan scan = snapshot.scan(Table.CATALOG, range, false)) {
            while (scan.next()) {
                reader.read(CollectionEntry.read(CatalogRows.namespace(scan.key()), scan.value()));
            }
        }
    }

    static CommandException notFound(Namespace namespace) {
        return new CommandException(ErrorCode.NamespaceNotFound, "ns does not exist: %s", namespace);
    }

    /** What is shown, now, under this name, if it is a view. */
    public @Nullable View view(Namespace namespace) {
        Collection newest = newest(namespace);
        return newest == null ? null : newest.view();
    }

    /** What has this name now. */
    public @Nullable Collection newest(Namespace namespace) {
        Slots.Slot slot = slots.get(namespace);
        if (slot == null) {
            return null;
        }
        if (slot.isNewest()) {
            return slot.collection();
        }
        try (Snapshot snapshot = transactions.snapshot()) {
            return find(namespace, snapshot);
        }
    }

    /** How texts compare, now, in a collection of this name, if there is one. */
    public Collation collation(Namespace namespace) {
        Collection newest = newest(namespace);
        return newest == null ? Collation.SIMPLE : newest.collation();
    }

    /** The same, as a transaction sees it. */
    public Collation collation(Namespace namespace, Transaction transaction) {
        Collection newest = newest(namespace, transaction);
        return newest == null ? Collation.SIMPLE : newest.collation();
    }

    // ---- for those who read and want it to stay so

    /**
     * The collection of this name in a view, or null; locked, absence too, against changes of its entry until the
     * transaction ends. {@link #isNewest} tells whether the lock came in time.
     */
    public @Nullable Collection lockForRead(Namespace namespace, Snapshot view, Transaction transaction) {
        Collection found = find(namespace, view);
        if (found == null) {
            transaction.lockShared(Table.CATALOG, CatalogRows.collection(namespace));
        } else {
            transaction.lockCollection(found.number(), LockMode.INTENT_SHARED);
        }
        return found;
    }

    /** Whether nobody has committed another entry of this name since a view was opened. */
    public boolean isNewest(Namespace namespace, Snapshot view, Transaction transaction) {
        return !transaction.changedSince(view, Table.CATALOG, KeyRange.point(CatalogRows.collection(namespace)));
    }

    // ---- for those who write

    /**
     * The newest collection of this name, locked against changes of its entry until the transaction ends, or null if
     * there is none.
     */
    public @Nullable Collection forWrite(Namespace namespace, Transaction transaction) {
        Collection found = newest(namespace, transaction);
        while (found != null) {
            transaction.lockCollection(found.number(), LockMode.INTENT_EXCLUSIVE);
            Collection now = newest(namespace, transaction);
            if (now != null && isSame(found, now)) {
                now.requireDocuments();
                requireVisible(now, transaction);
                return now;
            }
            found = now;
        }
        Names.checkTarget(namespace);
        requireNoneSeen(namespace, transaction);
        return isLockedAbsence(namespace, transaction) ? null : forWrite(namespace, transaction);
    }

    /** That there is no such collection is something a serializable transaction has read. */
    private boolean isLockedAbsence(Namespace namespace, Transaction transaction) {
        if (transaction.isolation() != Isolation.SERIALIZABLE) {
            return true;
        }
        transaction.lockShared(Table.CATALOG, CatalogRows.collection(namespace));
        return newest(namespace, transaction) == null;
    }

    /** The same, and the collection comes into being, in the same transaction, if there is none. */
    public Collection forInsert(Namespace namespace, Transaction transaction) {
        Collection found = forWrite(namespace, transaction);
        if (found != null) {
            return found;
        }
        Collection created = create(namespace, RawDocument.EMPTY, transaction);
        if (created != null) {
            return created;
        }
        // Somebody else was faster.
        return forInsert(namespace, transaction);
    }

    @Nullable
    Collection newest(Namespace namespace, Transaction transaction) {
        Slots.Slot slot = slots.get(namespace);
        if (slot == null) {
            return null;
        }
        if (slot.isNewest()) {
            return slot.collection();
        }
        try (Snapshot latest = transaction.latest()) {
            return find(namespace, latest);
        }
    }

    private static boolean isSame(Collection a, @Nullable Collection b) {
        return b != null
                && (a == b || Arrays.equals(a.entry().toRow(), b.entry().toRow()));
    }

    /** A collection that a snapshot transaction cannot see is not the one it means to write to. */
    private void requireVisible(Collection newest, Transaction transaction) {
        if (transaction.isolation() != Isolation.SNAPSHOT) {
            return;
        }
        try (Snapshot view = transaction.view()) {
            Collection seen = find(newest.namespace(), view);
            if (seen == null || seen.number() != newest.number()) {
                throw invisible(newest.namespace(), transaction);
            }
        }
    }

    /** Nor is one that it sees, and that others have taken away, as good as absent. */
    private void requireNoneSeen(Namespace namespace, Transaction transaction) {
        if (transaction.isolation() != Isolation.SNAPSHOT) {
            return;
        }
        try (Snapshot view = transaction.view()) {
            if (find(namespace, view) != null) {
                throw takenAway(namespace, transaction);
            }
        }
    }

    /** Fails with {@code WriteConflict} if others have taken away, or given another name to, what a transaction has seen. */
    public void requireStill(Collection seen, Transaction transaction) {
        Collection now = newest(seen.namespace(), transaction);
        if (now == null || now.number() != seen.number()) {
            throw takenAway(seen.namespace(), transaction);
        }
    }

    private static CommandException takenAway(Namespace namespace, Transaction transaction) {
        return transaction.writeConflict(
                "Collection '" + namespace + "' was dropped or renamed after this transaction's snapshot");
    }

    private static CommandException invisible(Namespace namespace, Transaction transaction) {
        return transaction.kind() == LockPolicy.Kind.TOKUMX_TRANSACTION
                ? new CommandException(
                        ErrorCode.location(16768),
                        "%s was created after this transaction's snapshot. Roll the transaction back and run it again",
                        namespace)
                : transaction.writeConflict();
    }

    // ---- changes

    /** A new collection, or null if there is one of this name by now. */
    @Nullable
    Collection create(Namespace namespace, RawDocument options, Transaction transaction) {
        Names.checkNew(namespace);
        lockName(namespace, transaction);
        if (newest(namespace, transaction) != null) {
            return null;
        }
        requireNoneSeen(namespace, transaction);
        claimDatabase(namespace.database(), transaction);
        int number = numbers.next();
        transaction.lockCollection(number, LockMode.INTENT_EXCLUSIVE);
        sizes.addNew(number);
        transaction.onEnd((committed, clusterTime) -> {
            if (!committed) {
                sizes.remove(number);
            }
        });
        CollectionEntry entry = new CollectionEntry(
                namespace,
                number,
                uuids.get(),
                options.detached(),
                List.of(),
                Capped.read(options) == null ? 0 : numbers.next());
        put(entry, transaction);
        Collection created = collection(entry);
        oplog.changed(transaction, new CatalogChange.Created(created));
        return created;
    }

    /** Whoever changes, makes or removes the entry of a name has this lock. */
    void lockName(Namespace namespace, Transaction transaction) {
        transaction.lockExclusive(Table.CATALOG, CatalogRows.collection(namespace));
    }

    /** Before the first collection of a database comes into being, in any of several transactions. */
    void claimDatabase(String database, Transaction transaction) {
        databaseNames.claim(database, transaction);
        if (hasCollections(database, transaction)) {
            return;
        }
        try (Snapshot latest = transaction.latest()) {
            for (String other : databases(latest)) {
                if (other.equalsIgnoreCase(database) && !other.equals(database)) {
                    throw DatabaseNames.differentCase(other, database);
                }
            }
        }
    }

    private static boolean hasCollections(String database, Transaction transaction) {
        try (Snapshot latest = transaction.latest();
                Scan scan = latest.scan(Table.CATALOG, CatalogRows.collectionsOf(database), false)) {
            return scan.next();
        }
    }

    /** The name is locked. */
    void put(CollectionEntry entry, Transaction transaction) {
        changing(entry.namespace(), transaction);
        transaction.put(Table.CATALOG, CatalogRows.collection(entry.namespace()), entry.toRow());
    }

    /** The name is locked. */
    void removeName(Namespace namespace, Transaction transaction) {
        changing(namespace, transaction);
        transaction.delete(Table.CATALOG, CatalogRows.collection(namespace));
    }

    private void changing(Namespace namespace, Transaction transaction) {
        slots.changing(namespace);
        transaction.onEnd((committed, clusterTime) -> slots.changed(namespace, committed, clusterTime));
    }

    /**
     * Everything that is stored of a collection goes in the commit that removes its name; snapshots that show the
     * collection keep what they show.
     */
    void removeData(Collection collection, Transaction transaction) {
        transaction.deleteRange(Table.DOCUMENTS, collection.documents());
        for (Index index : collection.maintained()) {
            removeIndexData(index.number(), transaction);
        }
        InsertionOrder order = collection.order();
        if (order != null) {
            transaction.deleteRange(Table.INDEXES, order.all());
        }
        int number = collection.number();
        transaction.append(stamp -> sizes.remove(number));
    }

    void removeIndexData(int number, Transaction transaction) {
        transaction.deleteRange(Table.INDEXES, KeyRange.prefix(CatalogRows.prefix(number)));
        transaction.deleteRange(Table.CATALOG, CatalogRows.multikeysOf(number));
        transaction.append(stamp -> multikeys.remove(number));
    }

    void removeBuild(Transaction transaction, int number) {
        transaction.delete(Table.CATALOG, CatalogRows.build(number));
        removeIndexData(number, transaction);
    }

    /** Whether options can be stored: a validator must be a filter. */
    void check(RawDocument options) {
        Validator.of(options, Collation.SIMPLE, filters);
    }

    Filter parse(RawDocument filter) {
        return filters.parse(filter, Collation.SIMPLE);
    }

    Oplog oplog() {
        return oplog;
    }

    Transactions transactions() {
        return transactions;
    }

    /** After an end that was not orderly: counts the collections, which keeps a snapshot open, until told to stop. */
    public void countAll(Interruption interruption) {
        sizes.countAll(interruption);
    }

    // ---- made of entries

    Collection collection(CollectionEntry entry) {
        List<Index> maintained = new ArrayList<>(entry.indexes().size());
        for (CollectionEntry.IndexEntry index : entry.indexes()) {
            maintained.add(index(entry.number(), index));
        }
        CollectionOptions options = CollectionOptions.read(entry.options());
        Collation collation = options.collated();
        TimeSeries series = options.timeSeries();
        IndexSpec order = (series == null ? IndexSpec.ID : series.order()).with(collation);
        Index primary = new Index(
                entry.number(),
                entry.number(),
                order,
                IndexStage.READY,
                new SkippedDocuments(),
                new Multikey(1),
                filters);
        Validator validator = Validator.of(entry.options(), collation, filters);
        return new Collection(entry, maintained, primary, sizes, validator, oplog);
    }

    Index index(int collection, CollectionEntry.IndexEntry index) {
        SkippedDocuments skips = skipped.getOrDefault(index.number(), new SkippedDocuments());
        return new Index(collection, index.number(), index.spec(), index.stage(), skips, multikey(index), filters);
    }

    /** Old snapshots show indexes that have been dropped since: what those had met is not known any more. */
    private Multikey multikey(CollectionEntry.IndexEntry index) {
        Multikey known = multikeys.get(index.number());
        return known != null
                ? known
                : Multikey.unknown(index.spec().key().fields().size());
    }

    private Multikey newMultikey(CollectionEntry.IndexEntry index) {
        Multikey fresh = new Multikey(index.spec().key().fields().size());
        multikeys.put(index.number(), fresh);
        return fresh;
    }

    /** An index that has met no document yet. */
    CollectionEntry.IndexEntry newIndex(IndexSpec spec) {
        CollectionEntry.IndexEntry index = CollectionEntry.IndexEntry.ready(numbers.next(), spec);
        newMultikey(index);
        return index;
    }

    /** From now on it is told of documents that it skips, until {@link #built}. */
    void building(CollectionEntry.IndexEntry index) {
        skipped.put(index.number(), new SkippedDocuments());
    }

    void built(CollectionEntry.IndexEntry index) {
        skipped.remove(index.number());
    }

    /** One that has come to nothing, or whose transaction has. */
    void forgetIndex(CollectionEntry.IndexEntry index) {
        multikeys.remove(index.number());
    }

    /** At an orderly end, when nobody uses it any more. */
    @Override
    public void close() {
        try (Transaction transaction = transactions.begin(
                Isolation.STATEMENT,
                LockPolicy.of(LockPolicy.Kind.CATALOG_CHANGE, Duration.ZERO),
                Interruption.unlimited())) {
            sizes.writeTo(transaction);
            transaction.commit().awaitDurable();
        } finally {
            sizes.close();
        }
    }
}

package dev.semel.server.catalog;

import dev.semel.query.value.Collation;
import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import dev.semel.wire.memory.MemoryPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which collections exist, as of a snapshot or of now. Entries are versioned by commit like everything else: a read goes
 * by the catalog of its snapshot, a write by the newest one, which its lock on the collection keeps from changing.
 */
public final class Catalog {
    private final Transactions transactions;
    private final Oplog oplog;
    private final Slots slots = new Slots();
    private final Sizes sizes = new Sizes();
    private final CollectionFactory factory;
    private final CatalogWriter writer;
    private final CollectionLocks locks;
    private final CatalogLoader loader;
    private final Numbers numbers;

    private Catalog(
            Transactions transactions, StoredFilters filters, Supplier<UUID> uuids, Oplog oplog, CatalogMemory memory) {
        this.transactions = transactions;
        this.oplog = oplog;
        numbers = new Numbers(transactions);
        factory = new CollectionFactory(filters, numbers, sizes, oplog);
        writer = new CatalogWriter(this, factory, slots, numbers, uuids, oplog, memory);
        transactions.listen(new CatalogListener(factory, slots, sizes, memory));
        locks = new CollectionLocks(this, writer);
        loader = new CatalogLoader(transactions, factory, writer, slots, sizes, memory);
    }

    /**
     * Changes nothing; see {@link #takeOver}.
     *
     * @param memory what collections and indexes may take by being there
     */
    public static Catalog open(
            Transactions transactions, StoredFilters filters, Supplier<UUID> uuids, Oplog oplog, MemoryPart memory) {
        CatalogMemory counted = new CatalogMemory(memory);
        Catalog catalog = new Catalog(transactions, filters, uuids, oplog, counted);
        catalog.loader.load();
        return catalog;
    }

    /** This node is the one that writes: clears away what is left of unfinished index builds. */
    public void takeOver() {
        numbers.takeOver();
        loader.takeOver();
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
        Collection found = row == null ? null : factory.collection(CollectionEntry.read(namespace, row));
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
        forEachEntry(snapshot, CatalogRows.collectionsOf(database), entry -> found.add(factory.collection(entry)));
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
        forEachEntry(snapshot, CatalogRows.COLLECTIONS, entry -> found.add(factory.collection(entry)));
        return found;
    }

    interface EntryReader {
        void read(CollectionEntry entry);
    }

    static void forEachEntry(Snapshot snapshot, KeyRange range, EntryReader reader) {
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

    // ---- its parts

    public CollectionLocks locks() {
        return locks;
    }

    CatalogWriter writer() {
        return writer;
    }

    CollectionFactory factory() {
        return factory;
    }

    Oplog oplog() {
        return oplog;
    }

    Transactions transactions() {
        return transactions;
    }

    /** After an end that was not orderly: counts the collections, which keeps a snapshot open, until interrupted. */
    public void countAll(Interruption interruption) {
        sizes.countAll(interruption);
    }

    /** At an orderly end, when it is no longer in use. A node that may write stores the sizes. */
    public void close(boolean isWriter) {
        if (!isWriter) {
            sizes.close();
            return;
        }
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

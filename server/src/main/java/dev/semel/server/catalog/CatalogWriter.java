package dev.semel.server.catalog;

import dev.semel.store.Fact;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.LockMode;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Changes the entries of collections, and what is stored of a collection or index together with its entry. */
final class CatalogWriter {
    private final Catalog catalog;
    private final CollectionFactory factory;
    private final Slots slots;
    private final Numbers numbers;
    private final Supplier<UUID> uuids;
    private final Oplog oplog;
    private final CatalogMemory memory;
    private final DatabaseNames databaseNames = new DatabaseNames();

    CatalogWriter(
            Catalog catalog,
            CollectionFactory factory,
            Slots slots,
            Numbers numbers,
            Supplier<UUID> uuids,
            Oplog oplog,
            CatalogMemory memory) {
        this.catalog = catalog;
        this.factory = factory;
        this.slots = slots;
        this.numbers = numbers;
        this.uuids = uuids;
        this.oplog = oplog;
        this.memory = memory;
    }

    /** A new collection, or null if there is one of this name by now. */
    @Nullable
    Collection create(Namespace namespace, RawDocument options, Transaction transaction) {
        Names.checkNew(namespace);
        lockName(namespace, transaction);
        if (catalog.newest(namespace, transaction) != null) {
            return null;
        }
        catalog.locks().requireNoneSeen(namespace, transaction);
        claimDatabase(namespace.database(), transaction);
        int number = numbers.next();
        transaction.lockCollection(number, LockMode.INTENT_EXCLUSIVE);
        CollectionEntry entry = new CollectionEntry(
                namespace,
                number,
                newUuid(),
                options.detached(),
                List.of(),
                Capped.read(options) == null ? 0 : numbers.next());
        put(entry, transaction);
        Collection created = factory.collection(entry);
        oplog.changed(transaction, new CatalogChange.Created(created));
        return created;
    }

    /**
     * Enters indexes.
     *
     * @param build makes their entries, if there are documents
     */
    void addIndexes(
            Collection collection,
            List<IndexSpec> specs,
            Transaction transaction,
            Consumer<List<CollectionEntry.IndexEntry>> build) {
        List<CollectionEntry.IndexEntry> made =
                specs.stream().map(factory::newIndex).toList();
        transaction.onRollback(() -> made.forEach(each -> factory.forgetIndex(each.number())));
        build.accept(made);
        List<CollectionEntry.IndexEntry> all =
                new ArrayList<>(collection.entry().indexes());
        all.addAll(made);
        put(collection.entry().withIndexes(all), transaction);
        made.forEach(each -> oplog.changed(transaction, new CatalogChange.IndexCreated(collection, each.spec())));
    }

    UUID newUuid() {
        return uuids.get();
    }

    /** This lock is needed to change, create or remove the entry of a name. */
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
            for (String other : catalog.databases(latest)) {
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
        long more = memory.claim(entry(entry.namespace(), transaction), entry, transaction);
        changing(entry.namespace(), more, transaction);
        transaction.put(Table.CATALOG, CatalogRows.collection(entry.namespace()), entry.toRow());
    }

    /** The name is locked. */
    void removeName(Namespace namespace, Transaction transaction) {
        long more = memory.claim(entry(namespace, transaction), null, transaction);
        changing(namespace, more, transaction);
        transaction.delete(Table.CATALOG, CatalogRows.collection(namespace));
    }

    private static @Nullable CollectionEntry entry(Namespace namespace, Transaction transaction) {
        try (Snapshot latest = transaction.latest()) {
            byte[] row = latest.get(Table.CATALOG, CatalogRows.collection(namespace));
            return row == null ? null : CollectionEntry.read(namespace, row);
        }
    }

    private void changing(Namespace namespace, long moreHeapBytes, Transaction transaction) {
        slots.changing(namespace);
        transaction.onRelease(() -> slots.ended(namespace));
        transaction.append((draft, all) -> {
            draft.add(new Fact.CatalogChanged(namespace, moreHeapBytes));
            draft.add(new Fact.Touched(namespace));
        });
    }

    /**
     * Everything that is stored of a collection goes in the commit that removes its name; snapshots that show the
     * collection keep what they show.
     */
    void removeData(Collection collection, Transaction transaction) {
        transaction.retire(Table.DOCUMENTS, collection.documents());
        for (Index index : collection.maintained()) {
            removeIndexData(index.number(), transaction);
        }
        InsertionOrder order = collection.order();
        if (order != null) {
            transaction.retire(Table.INDEXES, order.all());
        }
        removed(collection.number(), transaction);
    }

    void removeIndexData(int number, Transaction transaction) {
        transaction.retire(Table.INDEXES, KeyRange.prefix(CatalogRows.prefix(number)));
        transaction.deleteRange(Table.CATALOG, CatalogRows.multikeysOf(number));
        removed(number, transaction);
    }

    private static void removed(int number, Transaction transaction) {
        transaction.append((draft, all) -> draft.add(new Fact.StorageRemoved(number)));
    }

    void removeBuild(Transaction transaction, int number) {
        transaction.delete(Table.CATALOG, CatalogRows.build(number));
        removeIndexData(number, transaction);
    }
}

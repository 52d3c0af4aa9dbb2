package dev.semel.server.catalog;

import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads the catalog when the server starts, and clears away what is left of unfinished index builds. */
final class CatalogLoader {
    private final Transactions transactions;
    private final CollectionFactory factory;
    private final CatalogWriter writer;
    private final Slots slots;
    private final Sizes sizes;
    private final CatalogMemory memory;

    CatalogLoader(
            Transactions transactions,
            CollectionFactory factory,
            CatalogWriter writer,
            Slots slots,
            Sizes sizes,
            CatalogMemory memory) {
        this.transactions = transactions;
        this.factory = factory;
        this.writer = writer;
        this.slots = slots;
        this.sizes = sizes;
        this.memory = memory;
    }

    void load() {
        Snapshot snapshot = transactions.snapshot();
        List<CollectionEntry> entries = new ArrayList<>();
        Catalog.forEachEntry(snapshot, CatalogRows.COLLECTIONS, entry -> {
            memory.loaded(entry);
            entries.add(entry);
        });
        for (CollectionEntry entry : entries) {
            for (CollectionEntry.IndexEntry index : entry.indexes()) {
                factory.loadMultikey(snapshot, index);
            }
        }
        sizes.load(snapshot, entries.stream().map(CollectionEntry::number).toList());
        entries.forEach(entry -> slots.load(factory.collection(entry)));
    }

    /**
     * On the node that writes: removes unfinished builds of an earlier primary, or of an earlier run of the server. Mostly there
     * is nothing, and then no commit, for which clients of a new primary would wait; but a new database gets its first time.
     */
    void takeOver() {
        List<CollectionEntry> building = new ArrayList<>();
        List<Integer> unfinished = new ArrayList<>();
        boolean isDue;
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.CATALOG, CatalogRows.BUILDS, false);
                Scan sizesStored = snapshot.scan(Table.CATALOG, CatalogRows.SIZES, false)) {
            isDue = sizesStored.next() || snapshot.clusterTime() == 0;
            Catalog.forEachEntry(snapshot, CatalogRows.COLLECTIONS, entry -> {
                if (entry.isBuilding()) {
                    building.add(entry.withoutBuilds());
                }
            });
            while (scan.next()) {
                unfinished.add(CatalogRows.number(scan.key()));
            }
        }
        if (!isDue && building.isEmpty() && unfinished.isEmpty()) {
            return;
        }
        try (Transaction transaction = transactions.begin(
                Isolation.STATEMENT,
                LockPolicy.of(LockPolicy.Kind.CATALOG_CHANGE, Duration.ZERO),
                Interruption.unlimited())) {
            Sizes.forgetStored(transaction);
            building.forEach(entry -> writer.put(entry, transaction));
            unfinished.forEach(number -> writer.removeBuild(transaction, number));
            transaction.commit().awaitApplied();
        }
    }
}

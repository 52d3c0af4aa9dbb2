package dev.semel.server.catalog;

import dev.semel.store.CommitListener;
import dev.semel.store.CommitRecord;
import dev.semel.store.Fact;
import dev.semel.store.Table;

/** Keeps what the catalog has in memory as the applied commits say. */
final class CatalogListener implements CommitListener {
    private final CollectionFactory factory;
    private final Slots slots;
    private final Sizes sizes;
    private final CatalogMemory memory;

    CatalogListener(CollectionFactory factory, Slots slots, Sizes sizes, CatalogMemory memory) {
        this.factory = factory;
        this.slots = slots;
        this.sizes = sizes;
        this.memory = memory;
    }

    @Override
    public void applied(CommitRecord record) {
        // The entries first: a transaction that builds an index meets the arrays in it before it puts it into the
        // entry.
        record.forEach(Fact.CatalogChanged.class, changed -> catalogChanged(changed, record));
        for (Fact each : record.facts()) {
            switch (each) {
                case Fact.SizeChanged(int collection, long documents, long bytes) ->
                    sizes.changed(collection, documents, bytes);
                case Fact.BecameMultikey(int index, int field, int step) -> factory.becameMultikey(index, field, step);
                case Fact.StorageRemoved(int number) -> {
                    sizes.remove(number);
                    factory.forgetIndex(number);
                }
                default -> {}
            }
        }
    }

    private void catalogChanged(Fact.CatalogChanged changed, CommitRecord record) {
        slots.committed(changed.namespace(), record.clusterTime());
        memory.changed(changed.heapBytes());
        int row = record.lastRow(Table.CATALOG, CatalogRows.collection(changed.namespace()));
        byte[] entry = row < 0 ? null : record.value(row);
        if (entry != null) {
            CollectionEntry.read(changed.namespace(), entry).indexes().forEach(factory::know);
        }
    }
}

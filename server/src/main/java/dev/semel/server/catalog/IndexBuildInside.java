package dev.semel.server.catalog;

import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.bson.RawDocument;
import java.util.List;

/**
 * Makes the entries of new indexes in a transaction that is open, from what is committed and what the transaction has
 * written itself. They are part of its writes, so they are rolled back with it, and their size is limited with theirs. There
 * are no other writers to the collection until the transaction ends: they would not maintain the indexes.
 */
final class IndexBuildInside {
    private static final int DOCUMENTS_PER_CHECK = 128;

    private final Catalog catalog;
    private final Transaction transaction;
    private final Interruption interruption;

    IndexBuildInside(Catalog catalog, Transaction transaction, Interruption interruption) {
        this.catalog = catalog;
        this.transaction = transaction;
        this.interruption = interruption;
    }

    /** The collection is locked against writers. */
    void build(Collection collection, List<CollectionEntry.IndexEntry> made) {
        requireNothingNewer(collection);
        List<Index> indexes = made.stream()
                .map(each -> catalog.factory().index(collection.number(), each))
                .toList();
        try (Snapshot latest = transaction.latest();
                Scan documents = latest.scan(Table.DOCUMENTS, collection.documents(), false)) {
            for (long count = 0; documents.next(); count++) {
                if (count % DOCUMENTS_PER_CHECK == 0) {
                    interruption.check();
                }
                RawDocument document = RawDocument.of(documents.value());
                for (Index index : indexes) {
                    add(collection, index, documents.key(), document);
                }
            }
        }
    }

    private void add(Collection collection, Index index, byte[] key, RawDocument document) {
        EntryFormat.Entries entries = EntryFormat.entries(index, key, document);
        byte[] whole = index.entryValue(document);
        for (EntryFormat.Entry entry : entries.byKey().values()) {
            if (index.spec().unique()) {
                try (Snapshot latest = transaction.latest()) {
                    if (EntryChanges.holdsOther(latest, entry)) {
                        throw EntryChanges.duplicate(collection, index, entry);
                    }
                }
            }
            transaction.put(Table.INDEXES, entry.key(), whole == null ? entry.types() : whole);
        }
        EntryChanges.flipMultikey(transaction, index, entries.arrays());
    }

    /** The entries would lead to documents that the transaction's snapshot does not show. */
    private void requireNothingNewer(Collection collection) {
        if (transaction.isolation() != Isolation.SNAPSHOT) {
            return;
        }
        try (Snapshot view = transaction.view()) {
            if (transaction.changedSince(view, Table.DOCUMENTS, collection.documents())) {
                throw transaction.writeConflict();
            }
        }
    }
}

package dev.semel.server.catalog;

import dev.semel.store.Fact;
import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a change of one document means for the index entries of its collection: which go, which come. */
final class EntryChanges {
    private static final byte[] NOTHING = {};

    private final Collection collection;
    private final List<IndexEntries> all = new ArrayList<>();

    /**
     * Of one index; keys in their order.
     *
     * @param rewritten those that stay, and hold something else than before
     * @param value what the entries hold that are written; null if each holds its own types
     */
    private record IndexEntries(
            Index index,
            Map<byte[], EntryFormat.Entry> removed,
            Map<byte[], EntryFormat.Entry> added,
            Map<byte[], EntryFormat.Entry> rewritten,
            byte @Nullable [] value,
            long[] arrays) {
        byte[] valueOf(EntryFormat.Entry entry) {
            return value == null ? entry.types() : value;
        }

        boolean isEmpty() {
            return removed.isEmpty() && added.isEmpty() && rewritten.isEmpty();
        }
    }

    private EntryChanges(Collection collection) {
        this.collection = collection;
    }

    static EntryChanges inserting(Collection collection, byte[] key, RawDocument document) {
        EntryChanges changes = new EntryChanges(collection);
        for (Index index : collection.maintained()) {
            EntryFormat.Entries added = toAdd(index, key, document);
            changes.add(new IndexEntries(
                    index, Map.of(), added.byKey(), Map.of(), index.entryValue(document), added.arrays()));
        }
        return changes;
    }

    static EntryChanges deleting(Collection collection, byte[] key, RawDocument document) {
        EntryChanges changes = new EntryChanges(collection);
        for (Index index : collection.maintained()) {
            EntryFormat.Entries removed = toRemove(index, key, document);
            changes.add(new IndexEntries(index, removed.byKey(), Map.of(), Map.of(), null, removed.arrays()));
        }
        return changes;
    }

    /** Only what differs: an index none of whose fields has changed is not touched, unless it has whole documents. */
    static EntryChanges updating(Collection collection, byte[] key, RawDocument before, RawDocument after) {
        EntryChanges changes = new EntryChanges(collection);
        for (Index index : collection.maintained()) {
            boolean clustering = index.spec().clustering();
            if (!clustering && !EntryFormat.mayDiffer(index, before, after)) {
                continue;
            }
            EntryFormat.Entries old = toRemove(index, key, before);
            EntryFormat.Entries now = toAdd(index, key, after);
            Map<byte[], EntryFormat.Entry> removed = new TreeMap<>(Arrays::compareUnsigned);
            Map<byte[], EntryFormat.Entry> added = new TreeMap<>(Arrays::compareUnsigned);
            Map<byte[], EntryFormat.Entry> rewritten = new TreeMap<>(Arrays::compareUnsigned);
            now.byKey().forEach((entryKey, entry) -> {
                EntryFormat.Entry same = old.byKey().get(entryKey);
                if (same == null) {
                    added.put(entryKey, entry);
                } else if (clustering || !Arrays.equals(entry.types(), same.types())) {
                    rewritten.put(entryKey, entry);
                }
            });
            old.byKey().forEach((entryKey, entry) -> {
                if (!now.byKey().containsKey(entryKey)) {
                    removed.put(entryKey, entry);
                }
            });
            changes.add(new IndexEntries(index, removed, added, rewritten, index.entryValue(after), now.arrays()));
        }
        return changes;
    }

    /** An index that is only being filled refuses nothing: its build will, if the document still is so then. */
    private static EntryFormat.Entries toAdd(Index index, byte[] key, RawDocument document) {
        if (index.stage() != IndexStage.FILLING) {
            return EntryFormat.entries(index, key, document);
        }
        try {
            return EntryFormat.entries(index, key, document);
        } catch (CommandException e) {
            index.skipped().add();
            return EntryFormat.Entries.none(index);
        }
    }

    /** What an index cannot hold, it has skipped while it was being filled. */
    private static EntryFormat.Entries toRemove(Index index, byte[] key, RawDocument document) {
        if (index.stage() == IndexStage.READY) {
            return EntryFormat.entries(index, key, document);
        }
        try {
            return EntryFormat.entries(index, key, document);
        } catch (CommandException e) {
            return EntryFormat.Entries.none(index);
        }
    }

    private void add(IndexEntries entries) {
        // An array of one element has the same entry as the element alone, and still makes the index multikey.
        if (!entries.isEmpty() || !entries.index.multikey().isStored(entries.arrays)) {
            all.add(entries);
        }
    }

    /** The document, then every key that comes or goes and every value that must be unique: always in the same order. */
    void lock(Transaction transaction, byte[] documentKey) {
        transaction.lockExclusive(Table.DOCUMENTS, documentKey);
        if (all.isEmpty()) {
            return;
        }
        List<byte[]> keys = new ArrayList<>();
        for (IndexEntries each : all) {
            each.removed.keySet().forEach(keys::add);
            each.added.keySet().forEach(keys::add);
            each.rewritten.keySet().forEach(keys::add);
            if (each.index.refusesDuplicates()) {
                each.removed.values().forEach(entry -> keys.add(entry.values()));
                each.added.values().forEach(entry -> keys.add(entry.values()));
            }
        }
        keys.sort(Arrays::compareUnsigned);
        byte[] last = NOTHING;
        for (byte[] key : keys) {
            if (!Arrays.equals(key, last)) {
                transaction.lockExclusive(Table.INDEXES, key);
            }
            last = key;
        }
    }

    void write(Transaction transaction) {
        for (IndexEntries each : all) {
            for (byte[] key : each.removed.keySet()) {
                transaction.delete(Table.INDEXES, key);
            }
            boolean unique = each.index.refusesDuplicates();
            if (unique) {
                checkUnique(transaction, each);
                markUnique(transaction, each);
            }
            each.added.forEach((key, entry) -> transaction.put(Table.INDEXES, key, each.valueOf(entry)));
            each.rewritten.forEach((key, entry) -> transaction.put(Table.INDEXES, key, each.valueOf(entry)));
            refuseFlip(transaction, each.index, each.arrays);
            flipMultikey(transaction, each.index, each.arrays);
        }
    }

    private static void markUnique(Transaction transaction, IndexEntries entries) {
        entries.removed.values().forEach(entry -> transaction.mark(Table.INDEXES, entry.values()));
        entries.added.values().forEach(entry -> transaction.mark(Table.INDEXES, entry.values()));
    }

    /** Judged by the newest committed state, which cannot change any more because the values are locked. */
    private void checkUnique(Transaction transaction, IndexEntries entries) {
        if (entries.added.isEmpty()) {
            return;
        }
        boolean snapshot = transaction.isolation() == Isolation.SNAPSHOT;
        try (Snapshot latest = transaction.latest()) {
            for (EntryFormat.Entry entry : entries.added.values()) {
                if (snapshot) {
                    transaction.requireUnchanged(Table.INDEXES, entry.values());
                }
                if (holdsOther(latest, entry)) {
                    throw duplicate(collection, entries.index, entry);
                }
            }
        }
    }

    /** Whether another document has the same value. An update that keeps a value finds its own entry only. */
    static boolean holdsOther(Snapshot latest, EntryFormat.Entry entry) {
        KeyRange range = KeyRange.prefix(entry.values());
        try (Scan scan = latest.scan(Table.INDEXES, range, false)) {
            while (scan.next()) {
                if (!Arrays.equals(scan.key(), entry.key())) {
                    return true;
                }
            }
        }
        return false;
    }

    static CommandException duplicate(Collection collection, Index index, EntryFormat.Entry entry) {
        return DuplicateKey.of(collection.namespace(), index.spec(), entry.shown(index));
    }

    /**
     * TokuMX's dialect knows no such change within a transaction, unless the index is the transaction's own, or not
     * finished.
     */
    private static void refuseFlip(Transaction transaction, Index index, long[] arrays) {
        if (transaction.kind() != LockPolicy.Kind.TOKUMX_TRANSACTION
                || index.stage() != IndexStage.READY
                || index.multikey().isStored(arrays)) {
            return;
        }
        for (int field = 0; field < arrays.length; field++) {
            for (int step = 0; step < Long.SIZE; step++) {
                if ((arrays[field] & 1L << step) != 0
                        && !index.multikey().isStored(field, step)
                        && transaction.latest(Table.CATALOG, CatalogRows.multikey(index.number(), field, step))
                                == null) {
                    throw new CommandException(
                            ErrorCode.location(17317),
                            "The first array on the path %s of index %s cannot be written within a transaction",
                            index.paths().get(field),
                            index.name());
                }
            }
        }
    }

    /**
     * Plans go by the absence of arrays, so the presence of the first one is known to them before it can be seen. The row
     * is locked for a serializable reader, who relies on the absence until its end.
     */
    static void flipMultikey(Transaction transaction, Index index, long[] arrays) {
        if (index.multikey().isStored(arrays)) {
            return;
        }
        index.multikey().expect(arrays);
        for (int field = 0; field < arrays.length; field++) {
            for (int step = 0; step < Long.SIZE; step++) {
                if ((arrays[field] & 1L << step) != 0 && !index.multikey().isStored(field, step)) {
                    store(transaction, index, field, step);
                }
            }
        }
    }

    private static void store(Transaction transaction, Index index, int field, int step) {
        byte[] row = CatalogRows.multikey(index.number(), field, step);
        if (index.stage() == IndexStage.READY) {
            transaction.lockExclusive(Table.CATALOG, row);
        }
        transaction.put(Table.CATALOG, row, NOTHING);
        transaction.append((draft, all) -> draft.add(new Fact.BecameMultikey(index.number(), field, step)));
    }
}

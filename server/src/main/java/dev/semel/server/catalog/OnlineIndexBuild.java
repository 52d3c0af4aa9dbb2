package dev.semel.server.catalog;

import dev.semel.store.Commit;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Builds indexes of a collection beside its writers.
 *
 * <ol>
 *   <li>The catalog gets the indexes as {@link IndexStage#FILLING}. Once all writers have seen that, each of them
 *       maintains the new indexes, and no reader uses them.
 *   <li>The documents that were there before are added in chunks. A chunk locks its documents, so an entry is that of the
 *       document as it is: a later change of the document finds the entry and removes it.
 *   <li>Indexes that refuse something do so from now on ({@link IndexStage#CHECKING}), and what they hold is checked.
 *   <li>One commit makes them all {@link IndexStage#READY}.
 * </ol>
 *
 * Writers wait only while the stage changes, for those of them who have begun before. A failure or a crash leaves nothing.
 */
final class OnlineIndexBuild {
    private static final int CHUNK_DOCUMENTS = 500;
    private static final int CHUNK_BYTES = 1024 * 1024;
    private static final int ENTRIES_PER_CHECK = 1_000;

    /** Who waits for a transaction's end holds up writers behind it, so each attempt is short, and followed by a pause. */
    private static final Duration SWITCH_ATTEMPT = Duration.ofMillis(100);

    private static final Duration SWITCH_PAUSE = Duration.ofMillis(400);

    /** Ten minutes, after which an idle TokuMX transaction has been ended too. */
    private static final int SWITCH_ATTEMPTS_MAX = 1_200;

    private final Ddl ddl;
    private final Catalog catalog;
    private final Transactions transactions;
    private final Collection collection;
    private final List<CollectionEntry.IndexEntry> made;

    /** Those in whose place the new ones are put. */
    private final List<CollectionEntry.IndexEntry> replaced;

    private final Interruption interruption;

    /** The name of the collection is locked until the build has ended. */
    OnlineIndexBuild(
            Ddl ddl,
            Collection collection,
            List<IndexSpec> specs,
            List<CollectionEntry.IndexEntry> replaced,
            Interruption interruption) {
        this.replaced = replaced;
        this.ddl = ddl;
        this.catalog = ddl.catalog();
        this.transactions = catalog.transactions();
        this.collection = collection;
        this.made = specs.stream().map(catalog.factory()::newIndex).toList();
        this.interruption = interruption;
    }

    Commit run() {
        List<IndexSpec> specs =
                made.stream().map(CollectionEntry.IndexEntry::spec).toList();
        ddl.builds().begun(collection.namespace(), specs, interruption);
        made.forEach(catalog.factory()::building);
        boolean finished = false;
        try {
            begin();
            fill();
            Commit commit = finish();
            finished = true;
            return commit;
        } finally {
            try {
                if (!finished) {
                    abandon();
                }
            } finally {
                made.forEach(catalog.factory()::built);
                ddl.builds().ended(collection.namespace());
            }
        }
    }

    // ---- stages

    private void begin() {
        try (Transaction change = ddl.begin(interruption)) {
            change.lockCollection(collection.number(), LockMode.SHARED);
            made.forEach(each -> change.put(Table.CATALOG, CatalogRows.build(each.number()), new byte[0]));
            catalog.writer().put(at(IndexStage.FILLING), change);
            change.commit().awaitApplied();
        }
    }

    private CollectionEntry at(IndexStage stage) {
        List<CollectionEntry.IndexEntry> all =
                new ArrayList<>(collection.entry().indexes());
        if (stage == IndexStage.READY) {
            all.removeAll(replaced);
        }
        made.forEach(each -> all.add(each.at(stage)));
        return collection.entry().withIndexes(all);
    }

    private Commit finish() {
        if (made.stream().noneMatch(each -> each.spec().unique() || each.spec().prepareUnique())) {
            // There are no writers now, so nothing more will be skipped.
            Commit commit = alone(change -> !anySkipped() && makeReady(change));
            if (commit != null) {
                return commit;
            }
        }
        alone(change -> {
            catalog.writer().put(at(IndexStage.CHECKING), change);
            return true;
        });
        check();
        Commit commit = alone(this::makeReady);
        if (commit == null) {
            throw new IllegalStateException("not made ready");
        }
        return commit;
    }

    private boolean makeReady(Transaction change) {
        catalog.writer().put(at(IndexStage.READY), change);
        replaced.forEach(each -> catalog.writer().removeIndexData(each.number(), change));
        for (CollectionEntry.IndexEntry each : made) {
            change.delete(Table.CATALOG, CatalogRows.build(each.number()));
            catalog.oplog().changed(change, new CatalogChange.IndexCreated(collection, each.spec()));
        }
        return true;
    }

    /** A change while there are no writers to the collection. Its commit, which has been applied; null if it was refused. */
    private @Nullable Commit alone(Predicate<Transaction> work) {
        for (int attempt = 1; ; attempt++) {
            interruption.check();
            try (Transaction change = ddl.begin(interruption)) {
                change.lockTimeout(SWITCH_ATTEMPT);
                change.lockCollection(collection.number(), LockMode.SHARED);
                if (!work.test(change)) {
                    return null;
                }
                Commit commit = change.commit();
                commit.awaitApplied();
                return commit;
            } catch (CommandException e) {
                if (e.code() != ErrorCode.LockTimeout || attempt == SWITCH_ATTEMPTS_MAX) {
                    throw e;
                }
            }
            interruption.park(this, SWITCH_PAUSE.toNanos());
        }
    }

    private void abandon() {
        try (Transaction change = ddl.begin(Interruption.unlimited())) {
            catalog.writer().put(collection.entry(), change);
            change.commit().awaitApplied();
        }
        try (Transaction change = ddl.begin(Interruption.unlimited())) {
            // Writers that still use the entry of before would leave index entries behind. If that takes too long, the
            // next
            // start of the server removes them.
            change.lockCollection(collection.number(), LockMode.SHARED);
            made.forEach(each -> catalog.writer().removeBuild(change, each.number()));
            change.commit().awaitApplied();
        } catch (CommandException e) {
            if (e.code() != ErrorCode.LockTimeout) {
                throw e;
            }
        }
    }

    // ---- what was there before

    private void fill() {
        List<Index> indexes = indexes(IndexStage.FILLING);
        byte[] from = collection.documents().low();
        while (from != null) {
            interruption.check();
            from = fillChunk(indexes, from);
        }
    }

    private List<Index> indexes(IndexStage stage) {
        return made.stream()
                .map(each -> catalog.factory().index(collection.number(), each.at(stage)))
                .toList();
    }

    /** Where the next chunk begins; null after the last one. */
    private byte @Nullable [] fillChunk(List<Index> indexes, byte[] from) {
        try (Transaction chunk = ddl.begin(interruption)) {
            List<byte[]> keys = new ArrayList<>();
            byte[] next = lockChunk(chunk, from, keys);
            if (!keys.isEmpty()) {
                byte[] cut = addChunk(chunk, indexes, keys);
                chunk.commit().awaitApplied();
                next = cut != null ? cut : next;
            }
            return next;
        }
    }

    /** Waits for the first document only, while it holds no other: so it is in no other's way while it waits. */
    private byte @Nullable [] lockChunk(Transaction chunk, byte[] from, List<byte[]> keys) {
        KeyRange rest = new KeyRange(from, collection.documents().high());
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.DOCUMENTS, rest, false)) {
            while (scan.next()) {
                byte[] key = scan.key();
                if (keys.size() == CHUNK_DOCUMENTS || !lock(chunk, key, keys.isEmpty())) {
                    return key;
                }
                keys.add(key);
            }
        }
        return null;
    }

    private static boolean lock(Transaction chunk, byte[] key, boolean waits) {
        if (waits) {
            chunk.lockShared(Table.DOCUMENTS, key);
            chunk.lockTimeout(Duration.ZERO);
            return true;
        }
        try {
            chunk.lockShared(Table.DOCUMENTS, key);
            return true;
        } catch (CommandException e) {
            if (e.code() == ErrorCode.LockTimeout) {
                return false;
            }
            throw e;
        }
    }

    /** Where it stopped because the chunk was large enough; null if it holds all. */
    private byte @Nullable [] addChunk(Transaction chunk, List<Index> indexes, List<byte[]> locked) {
        int bytes = 0;
        int at = 0;
        KeyRange range = KeyRange.closed(locked.getFirst(), locked.getLast());
        try (Snapshot latest = chunk.latest();
                Scan scan = latest.scan(Table.DOCUMENTS, range, false)) {
            while (scan.next()) {
                byte[] key = scan.key();
                while (at < locked.size() && Arrays.compareUnsigned(locked.get(at), key) < 0) {
                    at++;
                }
                if (at == locked.size() || !Arrays.equals(locked.get(at), key)) {
                    // Inserted since the chunk was locked, by a writer that maintains the indexes.
                    continue;
                }
                if (bytes >= CHUNK_BYTES) {
                    return key;
                }
                RawDocument document = RawDocument.of(scan.value());
                bytes += document.length();
                for (Index index : indexes) {
                    bytes += add(chunk, index, key, document);
                }
            }
        }
        return null;
    }

    private static int add(Transaction chunk, Index index, byte[] key, RawDocument document) {
        EntryFormat.Entries entries = EntryFormat.entries(index, key, document);
        byte[] whole = index.entryValue(document);
        int bytes = 0;
        for (EntryFormat.Entry entry : entries.byKey().values()) {
            byte[] value = whole == null ? entry.types() : whole;
            chunk.put(Table.INDEXES, entry.key(), value);
            bytes += entry.key().length + value.length;
        }
        EntryChanges.flipMultikey(chunk, index, entries.arrays());
        return bytes;
    }

    // ---- whether they may be

    private boolean anySkipped() {
        return indexes(IndexStage.FILLING).stream()
                .anyMatch(each -> each.skipped().any());
    }

    private void check() {
        for (Index index : indexes(IndexStage.CHECKING)) {
            if (index.skipped().any()) {
                checkDocuments(index);
            }
            if (index.refusesDuplicates()) {
                checkDuplicates(index);
            }
        }
    }

    /** Fails with the error that the writer would have got, had the document not been skipped. */
    private void checkDocuments(Index index) {
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.DOCUMENTS, collection.documents(), false)) {
            for (long count = 0; scan.next(); count++) {
                if (count % ENTRIES_PER_CHECK == 0) {
                    interruption.check();
                }
                EntryFormat.entries(index, scan.key(), RawDocument.of(scan.value()));
            }
        }
    }

    private void checkDuplicates(Index index) {
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.INDEXES, index.range(), false)) {
            byte[] last = null;
            for (long count = 0; scan.next(); count++) {
                if (count % ENTRIES_PER_CHECK == 0) {
                    interruption.check();
                }
                byte[] key = scan.key();
                if (last != null && EntryFormat.haveSameValues(index, last, key)) {
                    throw duplicate(index, key, snapshot);
                }
                last = key;
            }
        }
    }

    private CommandException duplicate(Index index, byte[] key, Snapshot snapshot) {
        RawDocument document = collection.document(snapshot, index.documentKey(key));
        RawDocument shown = document == null ? null : index.shownKey(key, document);
        return DuplicateKey.of(collection.namespace(), index.spec(), shown == null ? RawDocument.EMPTY : shown);
    }
}

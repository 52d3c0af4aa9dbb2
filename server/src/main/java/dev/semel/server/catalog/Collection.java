package dev.semel.server.catalog;

import dev.semel.query.delta.Form;
import dev.semel.query.delta.Form.Version;
import dev.semel.query.value.Collation;
import dev.semel.store.Isolation;
import dev.semel.store.SizeChange;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.store.key.KeyWriter;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A collection as the catalog has it at one instant; a change of its entry makes another one. It writes a document
 * together with everything that follows from it, always into a transaction whose user has it from
 * {@link CollectionLocks#forWrite}.
 */
public final class Collection {
    private static final byte[] ID = {'_', 'i', 'd'};

    private final CollectionEntry entry;
    private final List<Index> indexes;
    private final List<Index> secondary;
    private final List<Index> maintained;
    private final Validator validator;
    private final Sizes sizes;
    private final Oplog oplog;
    private final boolean keepsImages;
    private final Collation collation;
    private final @Nullable View view;
    private final @Nullable InsertionOrder order;
    private final @Nullable TimeSeries timeSeries;
    private final boolean clustered;
    private final byte[] prefix;
    private final Value uuidValue;

    Collection(
            CollectionEntry entry,
            List<Index> maintained,
            Index primary,
            Sizes sizes,
            Validator validator,
            Oplog oplog) {
        this.entry = entry;
        this.maintained = maintained;
        this.secondary = maintained.stream()
                .filter(each -> each.stage() == IndexStage.READY)
                .toList();
        List<Index> all = new ArrayList<>(secondary.size() + 1);
        all.add(primary);
        all.addAll(secondary);
        this.indexes = List.copyOf(all);
        this.validator = validator;
        this.sizes = sizes;
        this.oplog = oplog;
        CollectionOptions options = CollectionOptions.read(entry.options());
        this.keepsImages = options.keepsImages();
        this.collation = options.collated();
        this.view = options.view();
        this.timeSeries = options.timeSeries();
        this.clustered = options.clustered() != null;
        Capped capped = options.capped();
        this.order = capped == null ? null : new InsertionOrder(entry.order(), entry.number(), capped);
        this.prefix = CatalogRows.prefix(entry.number());
        this.uuidValue = CollectionEntry.uuidValue(entry.uuid());
    }

    public Namespace namespace() {
        return entry.namespace();
    }

    public UUID uuid() {
        return entry.uuid();
    }

    public Value uuidValue() {
        return uuidValue;
    }

    /** By which a transaction locks it as a whole. */
    public int number() {
        return entry.number();
    }

    /** As {@code create} and {@code collMod} have set them. */
    public RawDocument options() {
        return entry.options();
    }

    /** Whether what a change replaces is kept beside the entry of the operation log. */
    public boolean keepsImages() {
        return keepsImages;
    }

    /** What it shows, if it is no collection but a view; it has no documents then and takes none. */
    public @Nullable View view() {
        return view;
    }

    /** Whether a client asked for what all collections are: its documents lie in the order of {@code _id}. */
    public boolean isClustered() {
        return clustered;
    }

    /** In which its documents came, if it is capped. */
    public @Nullable InsertionOrder order() {
        return order;
    }

    /** What its documents are like, if they are measurements. */
    public @Nullable TimeSeries timeSeries() {
        return timeSeries;
    }

    /** The same, for commands that need its documents: 166 for a view. */
    public Collection requireDocuments() {
        if (view != null) {
            throw View.refused(namespace());
        }
        return this;
    }

    /** How texts compare where a command does not say. */
    public Collation collation() {
        return collation;
    }

    /** Whether {@link #key} leads to the one document whose {@code _id} is equal to this value under a collation. */
    public boolean identifies(Value id, Collation under) {
        return timeSeries == null && (under.equals(collation) || Collation.isFree(id));
    }

    CollectionEntry entry() {
        return entry;
    }

    /** All that are ready, first the one that is the order of the documents. */
    public List<Index> indexes() {
        return indexes;
    }

    /** The same without the order of measurements, which is not an index for users. */
    public List<Index> shownIndexes() {
        return timeSeries == null ? indexes : secondary;
    }

    List<Index> secondary() {
        return secondary;
    }

    /** The same with those that are being built: the indexes that a change of a document changes too. */
    List<Index> maintained() {
        return maintained;
    }

    /** Whether a change of a document changes that index of this collection, which may be as it was before. */
    boolean maintains(Index index) {
        return maintained.contains(index) || maintained.stream().anyMatch(each -> each.number() == index.number());
    }

    public @Nullable Index index(String name) {
        for (Index index : indexes) {
            if (index.name().equals(name)) {
                return index;
            }
        }
        return null;
    }

    /** Those with the key pattern: several may have it, with different collations, partial filters or options. */
    public List<Index> indexesOf(KeyPattern key) {
        return indexes.stream()
                .filter(index -> index.key().fields().equals(key.fields()))
                .toList();
    }

    /** Whether the validator lets the document in. */
    boolean complies(RawDocument document) {
        return validator.accepts(document);
    }

    // ---- reading

    /** The key of the document with this {@code _id} in {@link Table#DOCUMENTS}. */
    public byte[] key(Value id) {
        return new KeyWriter()
                .prefix(entry.number())
                .put(collation.key(id), false)
                .toKey();
    }

    public byte[] key(RawDocument document) {
        return key(id(document));
    }

    /** Whether a document can lie under this key. */
    boolean isKey(byte[] key, RawDocument document) {
        return timeSeries == null ? Arrays.equals(key, key(document)) : timeSeries.isKey(key, entry.number(), document);
    }

    public static Value id(RawDocument document) {
        Value id = document.get(ID);
        if (id == null) {
            throw new IllegalArgumentException("a document without _id");
        }
        return id;
    }

    /** All its documents in {@link Table#DOCUMENTS}. */
    public KeyRange documents() {
        return KeyRange.prefix(prefix);
    }

    public @Nullable RawDocument document(Snapshot snapshot, byte[] key) {
        byte[] found = snapshot.get(Table.DOCUMENTS, key);
        return found == null ? null : RawDocument.of(found);
    }

    /** How many committed documents there are, and how many bytes; they are counted only after a crash. */
    public Sizes.Total size(Interruption interruption) {
        return sizes.of(entry.number(), interruption);
    }

    /** The same with what a transaction has written and not committed. */
    public Sizes.Total size(Transaction transaction, Interruption interruption) {
        Sizes.Total committed = size(interruption);
        SizeChange own = transaction.tallied(entry.number());
        return new Sizes.Total(committed.documents() + own.documents(), committed.bytes() + own.bytes());
    }

    /** The same as of a snapshot, which means to look at every document. */
    public Sizes.Total size(Snapshot snapshot, Interruption interruption) {
        return Sizes.count(entry.number(), snapshot, interruption);
    }

    // ---- writing

    /** Adds a document, which has an {@code _id}. */
    public void insert(Transaction transaction, RawDocument document) {
        insert(transaction, document, false);
    }

    public void insert(Transaction transaction, RawDocument document, boolean bypassValidation) {
        KeyMemory.holding(
                transaction, this, document.length(), () -> insertReserved(transaction, document, bypassValidation));
    }

    private void insertReserved(Transaction transaction, RawDocument document, boolean bypassValidation) {
        if (!bypassValidation) {
            validator.check(document);
        }
        byte[] key = newKey(transaction, document);
        if (order != null) {
            order.lockFor(transaction, this, document);
        }
        EntryChanges changes = EntryChanges.inserting(this, key, document);
        changes.lock(transaction, key);
        requireUnchanged(transaction, key);
        if (transaction.latest(Table.DOCUMENTS, key) != null) {
            if (transaction.isolation() == Isolation.SNAPSHOT && transaction.get(Table.DOCUMENTS, key) == null) {
                throw transaction.writeConflict();
            }
            RawDocument value = new BsonWriter().put("_id", id(document)).finish();
            throw DuplicateKey.of(namespace(), IndexSpec.ID, value);
        }
        changes.write(transaction);
        byte[] stored = bytes(document);
        transaction.put(Table.DOCUMENTS, key, stored);
        changed(transaction, 1, stored.length);
        oplog.inserted(transaction, this, RawDocument.of(stored));
        if (order != null) {
            order.added(transaction, this, key, document);
        }
        transaction.publish();
    }

    private byte[] newKey(Transaction transaction, RawDocument document) {
        if (timeSeries == null) {
            return key(document);
        }
        TimeSeries.checkKind(transaction, this);
        return timeSeries.newKey(transaction, entry.number(), document);
    }

    /** Puts a changed document, with the same {@code _id}, in the place of one that the transaction has locked and read. */
    public void update(Transaction transaction, byte[] key, RawDocument before, RawDocument after) {
        update(transaction, key, before, new Version(after, Form.COMPARISON), false);
    }

    /** The same where more is known of the change. */
    public void update(
            Transaction transaction, byte[] key, RawDocument before, Version version, boolean bypassValidation) {
        KeyMemory.holding(
                transaction,
                this,
                (long) before.length() + version.document().length(),
                () -> updateReserved(transaction, key, before, version, bypassValidation));
    }

    private void updateReserved(
            Transaction transaction, byte[] key, RawDocument before, Version version, boolean bypassValidation) {
        RawDocument after = version.document();
        if (!bypassValidation) {
            validator.checkUpdate(before, after);
        }
        if (order != null) {
            order.updating(transaction, this, before, after);
        }
        if (timeSeries != null) {
            TimeSeries.checkKind(transaction, this);
            timeSeries.checkUpdate(before, after);
        }
        EntryChanges changes = EntryChanges.updating(this, key, before, after);
        changes.lock(transaction, key);
        requireUnchanged(transaction, key);
        changes.write(transaction);
        transaction.put(Table.DOCUMENTS, key, bytes(after));
        changed(transaction, 0, after.length() - before.length());
        oplog.updated(transaction, this, before, version);
        transaction.publish();
    }

    /** Removes a document that the transaction has locked and read. */
    public void delete(Transaction transaction, byte[] key, RawDocument before) {
        KeyMemory.holding(transaction, this, before.length(), () -> deleteReserved(transaction, key, before));
    }

    private void deleteReserved(Transaction transaction, byte[] key, RawDocument before) {
        if (order != null) {
            order.removing(transaction, this, key, before);
        }
        if (timeSeries != null) {
            TimeSeries.checkKind(transaction, this);
        }
        EntryChanges changes = EntryChanges.deleting(this, key, before);
        changes.lock(transaction, key);
        requireUnchanged(transaction, key);
        changes.write(transaction);
        transaction.delete(Table.DOCUMENTS, key);
        changed(transaction, -1, -before.length());
        oplog.deleted(transaction, this, before);
        transaction.publish();
    }

    /** A plain statement has its own way to deal with what has changed; the others must not write over it. */
    private static void requireUnchanged(Transaction transaction, byte[] key) {
        if (transaction.isolation() == Isolation.SNAPSHOT) {
            transaction.requireUnchanged(Table.DOCUMENTS, key);
        }
    }

    private void changed(Transaction transaction, int documents, int bytes) {
        transaction.tally(entry.number(), namespace(), documents, bytes);
    }

    private static byte[] bytes(RawDocument document) {
        return document.array().length == document.length() ? document.array() : document.toBytes();
    }

    @Override
    public String toString() {
        return namespace() + " " + Shell.text(entry.options());
    }
}

package dev.semel.server.catalog;

import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The order in which the documents of a capped collection were inserted. Under its own number it has, in
 * {@link Table#INDEXES}:
 *
 * <pre>
 * number E place _id   a document; places are eight bytes and grow
 * number P _id         the document's place
 * number S             how many documents there are, how many bytes, a place before which there is none, and the last place
 *                      that was given; eight bytes each
 * </pre>
 *
 * <p>Insertions and removals hold the lock on all of it until the commit is visible. So places become visible in their
 * order, and a reader that has read up to one finds later ones behind it.
 */
public final class InsertionOrder {
    private static final int NUMBER_BYTES = 4;
    private static final int PLACE_AT = NUMBER_BYTES + 1;
    private static final int ID_AT = PLACE_AT + Long.BYTES;
    private static final byte[] NOTHING = {};

    private final byte[] prefix;
    private final byte[] documents;
    private final Capped limits;

    InsertionOrder(int number, int collection, Capped limits) {
        this.prefix = CatalogRows.prefix(number);
        this.documents = CatalogRows.prefix(collection);
        this.limits = limits;
    }

    public Capped limits() {
        return limits;
    }

    /** One per document, in the order; in {@link Table#INDEXES}. */
    public KeyRange entries() {
        return KeyRange.prefix(key('E', NOTHING));
    }

    /** The key in {@link Table#DOCUMENTS} of the document that an entry leads to. */
    public byte[] documentKey(byte[] entry) {
        byte[] key = Arrays.copyOf(documents, NUMBER_BYTES + entry.length - ID_AT);
        System.arraycopy(entry, ID_AT, key, NUMBER_BYTES, entry.length - ID_AT);
        return key;
    }

    private byte[] key(char kind, byte[] rest) {
        byte[] key = Arrays.copyOf(prefix, PLACE_AT + rest.length);
        key[NUMBER_BYTES] = (byte) kind;
        System.arraycopy(rest, 0, key, PLACE_AT, rest.length);
        return key;
    }

    private byte[] entry(long place, byte[] documentKey) {
        return key(
                'E',
                ByteBuffer.allocate(Long.BYTES + documentKey.length - NUMBER_BYTES)
                        .putLong(place)
                        .put(documentKey, NUMBER_BYTES, documentKey.length - NUMBER_BYTES)
                        .array());
    }

    private byte[] placeKey(byte[] documentKey) {
        return key('P', Arrays.copyOfRange(documentKey, NUMBER_BYTES, documentKey.length));
    }

    /** Everything stored under the number. */
    KeyRange all() {
        return KeyRange.prefix(prefix);
    }

    // ---- how full it is

    /**
     * What the collection holds.
     *
     * @param first no entry has a lower place: a search for the oldest one need not pass over all that have been removed
     * @param last never given again, also when its document is removed: places grow; 0 if it is not known
     */
    private record Fill(long documents, long bytes, long first, long last) {
        private static final Fill NOTHING = new Fill(0, 0, 0, 0);

        /** Of older versions the row has no places. */
        static Fill of(byte[] row) {
            ByteBuffer stored = ByteBuffer.wrap(row);
            return new Fill(stored.getLong(), stored.getLong(), next(stored), next(stored));
        }

        private static long next(ByteBuffer stored) {
            return stored.hasRemaining() ? stored.getLong() : 0;
        }

        Fill plus(int moreDocuments, long moreBytes) {
            return new Fill(documents + moreDocuments, bytes + moreBytes, first, last);
        }

        Fill from(long place) {
            return new Fill(documents, bytes, place, last);
        }

        Fill upTo(long place) {
            return new Fill(documents, bytes, first, place);
        }

        byte[] toRow() {
            return ByteBuffer.allocate(4 * Long.BYTES)
                    .putLong(documents)
                    .putLong(bytes)
                    .putLong(first)
                    .putLong(last)
                    .array();
        }
    }

    private Fill fill(Transaction transaction) {
        byte[] row = transaction.latest(Table.INDEXES, key('S', NOTHING));
        return row == null ? Fill.NOTHING : Fill.of(row);
    }

    private boolean isOverfull(Transaction transaction) {
        Fill fill = fill(transaction);
        return fill.bytes > limits.bytesMax() || (limits.documentsMax() > 0 && fill.documents > limits.documentsMax());
    }

    // ---- changes

    /** Before anything else is locked for an insertion. */
    void lockFor(Transaction transaction, Collection collection, RawDocument document) {
        LockPolicy.Kind kind = transaction.kind();
        if (kind == LockPolicy.Kind.SESSION_TRANSACTION || kind == LockPolicy.Kind.TOKUMX_TRANSACTION) {
            throw new CommandException(
                    ErrorCode.OperationNotSupportedInTransaction,
                    "Collection '%s' is a capped collection. Writes in transactions are not allowed on capped"
                            + " collections.",
                    collection.namespace());
        }
        if (document.length() > limits.bytesMax()) {
            throw new CommandException(ErrorCode.BadValue, "object to insert exceeds cappedMaxSize");
        }
        lock(transaction);
    }

    private void lock(Transaction transaction) {
        transaction.lockExclusive(Table.INDEXES, prefix);
    }

    /** A document has been inserted; the oldest ones make room for it. */
    void added(Transaction transaction, Collection collection, byte[] documentKey, RawDocument document) {
        Fill fill = fill(transaction);
        long place = lastPlace(transaction, fill) + 1;
        transaction.put(Table.INDEXES, entry(place, documentKey), NOTHING);
        transaction.put(
                Table.INDEXES,
                placeKey(documentKey),
                ByteBuffer.allocate(Long.BYTES).putLong(place).array());
        write(transaction, fill.plus(1, document.length()).upTo(place));
        while (isOverfull(transaction)) {
            removeOldest(transaction, collection);
        }
    }

    private void write(Transaction transaction, Fill fill) {
        transaction.put(Table.INDEXES, key('S', NOTHING), fill.toRow());
    }

    private long lastPlace(Transaction transaction, Fill fill) {
        if (fill.last > 0) {
            return fill.last;
        }
        try (Snapshot latest = transaction.latest();
                Scan scan = latest.scan(Table.INDEXES, entries(), true)) {
            return Math.max(fill.first, scan.next() ? place(scan.key()) : 0);
        }
    }

    private static long place(byte[] entry) {
        return ByteBuffer.wrap(entry, PLACE_AT, Long.BYTES).getLong();
    }

    /** All entries there are, without those that are known to be gone. */
    private KeyRange entriesFrom(long place) {
        byte[] low = key('E', ByteBuffer.allocate(Long.BYTES).putLong(place).array());
        return new KeyRange(low, entries().high());
    }

    private void removeOldest(Transaction transaction, Collection collection) {
        Fill fill = fill(transaction);
        byte[] entry;
        try (Snapshot latest = transaction.latest();
                Scan scan = latest.scan(Table.INDEXES, entriesFrom(fill.first), false)) {
            if (!scan.next()) {
                throw new IllegalStateException("too full and without documents: " + collection);
            }
            entry = scan.key();
        }
        write(transaction, fill.from(place(entry)));
        byte[] oldest = documentKey(entry);
        transaction.lockExclusive(Table.DOCUMENTS, oldest);
        byte[] stored = transaction.latest(Table.DOCUMENTS, oldest);
        if (stored == null) {
            throw new IllegalStateException("a place leads to no document: " + collection);
        }
        collection.delete(transaction, oldest, RawDocument.of(stored));
    }

    /** A document is about to be removed. */
    void removing(Transaction transaction, Collection collection, byte[] documentKey, RawDocument document) {
        lockFor(transaction, collection, document);
        byte[] place = transaction.latest(Table.INDEXES, placeKey(documentKey));
        if (place == null) {
            throw new IllegalStateException("a document without a place: " + collection);
        }
        transaction.delete(Table.INDEXES, entry(ByteBuffer.wrap(place).getLong(), documentKey));
        transaction.delete(Table.INDEXES, placeKey(documentKey));
        write(transaction, fill(transaction).plus(-1, -document.length()));
    }

    /** The documents lie side by side, so that none can grow. */
    void updating(Transaction transaction, Collection collection, RawDocument before, RawDocument after) {
        if (before.length() != after.length()) {
            throw new CommandException(
                    ErrorCode.CannotGrowDocumentInCappedNamespace,
                    "Cannot change the size of a document in a capped collection: %d != %d",
                    before.length(),
                    after.length());
        }
        lockFor(transaction, collection, after);
    }
}

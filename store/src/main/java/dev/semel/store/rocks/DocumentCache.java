package dev.semel.store.rocks;

import dev.semel.store.Batch;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Documents that have been read more than once. To find one here saves most of what it takes in the engine, even if that has
 * its block in memory.
 *
 * <p>Each batch that is written has a number, and each snapshot has that of the newest batch which it shows for certain. An
 * entry says from which snapshot on its document has been like this, and each set of entries which batch was the
 * last to write to one of its keys; it knows that before the engine has the batch. So an entry holds for all snapshots that are
 * not older than it, as long as no batch came to its set after it. What is outdated need not be removed, and neither readers nor the
 * writer wait for anybody.
 */
final class DocumentCache {
    /** For so many bytes there is a place. Entries of documents of 300 bytes fill a third of the places then, and find one. */
    private static final int BYTES_PER_PLACE = 128;

    /** Of an entry, beside the contents of its arrays. */
    private static final int ENTRY_BYTES = 64;

    /** A large document costs little more in the engine than here. */
    private static final int DOCUMENT_BYTES_MAX = 16 << 10;

    /** Entries in a set: so many keys with equal hashes do not displace each other. */
    private static final int WAYS = 4;

    private static final int SETS_MAX = 1 << 22;

    /** Of a set without entries: a reference for each place, and what is noted of the set. */
    private static final int SET_BYTES = WAYS * 4 + Long.BYTES + Integer.BYTES;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long bytesMax;
    private final int documentBytesMax;
    private final int sets;
    private final AtomicReferenceArray<@Nullable Entry> entries;

    /** Of each set, the newest batch that wrote to a key of it. */
    private final AtomicLongArray writtenBy;

    /** Of each set, the hash of the key that was looked for in vain last: what is read once is not worth the room. */
    private final AtomicIntegerArray missed;

    /** The newest batch that wrote to keys which it does not name. */
    private volatile long sweptBy;

    private final AtomicLong newestBatch = new AtomicLong();

    private final AtomicLong bytes = new AtomicLong();

    /** Where entries are removed next if there are too many. */
    private final AtomicInteger hand = new AtomicInteger();

    private final LongAdder hits = new LongAdder();

    private record Entry(int hash, byte[] key, byte[] document, long since) {
        boolean isOf(byte[] other, int hashOfOther) {
            return hash == hashOfOther && Arrays.equals(key, other);
        }
    }

    /** With 0 it stays empty. */
    DocumentCache(long bytesMax) {
        this.sets = Math.clamp(bytesMax / BYTES_PER_PLACE / WAYS, 1, SETS_MAX);
        this.bytesMax = Math.max(0, bytesMax - (long) sets * SET_BYTES);
        this.documentBytesMax = (int) Math.min(DOCUMENT_BYTES_MAX, this.bytesMax / 64);
        this.entries = new AtomicReferenceArray<>(sets * WAYS);
        this.writtenBy = new AtomicLongArray(sets);
        this.missed = new AtomicIntegerArray(sets);
    }

    /** The number of a snapshot that is taken after this call. */
    long newestBatch() {
        return newestBatch.get();
    }

    /** Null if it is not known what the snapshot with this number shows. */
    byte @Nullable [] get(byte[] key, long snapshot) {
        int hash = hash(key);
        int set = set(hash);
        for (int i = set * WAYS; i < (set + 1) * WAYS; i++) {
            Entry entry = entries.getAcquire(i);
            if (entry != null && entry.isOf(key, hash)) {
                if (entry.since > snapshot || !isCurrent(entry, set)) {
                    return null;
                }
                hits.increment();
                return entry.document;
            }
        }
        return null;
    }

    private boolean isCurrent(Entry entry, int set) {
        return entry.since >= writtenBy.getAcquire(set) && entry.since >= sweptBy;
    }

    /** What the snapshot with this number has shown, read from the engine; it is not changed afterwards. */
    void read(byte[] key, byte[] document, long snapshot) {
        if (document.length > documentBytesMax) {
            return;
        }
        int hash = hash(key);
        int set = set(hash);
        if (missed.getPlain(set) != hash) {
            missed.setPlain(set, hash);
            return;
        }
        replace(place(key, hash, set), new Entry(hash, key.clone(), document, snapshot));
    }

    /** That of the same key, one that is of no use, or else any. */
    private int place(byte[] key, int hash, int set) {
        int place = set * WAYS + (hash & (WAYS - 1));
        for (int i = set * WAYS; i < (set + 1) * WAYS; i++) {
            Entry entry = entries.getAcquire(i);
            if (entry != null && entry.isOf(key, hash)) {
                return i;
            }
            if (entry == null || !isCurrent(entry, set)) {
                place = i;
            }
        }
        return place;
    }

    private void replace(int place, @Nullable Entry entry) {
        Entry before = entries.getAndSet(place, entry);
        bytes.addAndGet(bytes(entry) - bytes(before));
        while (bytes.get() > bytesMax) {
            Entry gone = entries.getAndSet(Math.floorMod(hand.getAndIncrement(), entries.length()), null);
            bytes.addAndGet(-bytes(gone));
        }
    }

    private static int bytes(@Nullable Entry entry) {
        return entry == null ? 0 : ENTRY_BYTES + entry.key.length + entry.document.length;
    }

    /** By the one writer, before the engine gets it. */
    void writing(Batch batch) {
        long number = newestBatch.get() + 1;
        if (batch.staged() != null) {
            sweptBy = number;
        }
        batch.applyTo(new Outdating(number));
    }

    /** By the one writer, when the engine has it: what is written again and again is read before that each time. */
    void renew(Batch batch) {
        long number = newestBatch.get() + 1;
        if (sweptBy != number) {
            batch.applyTo(new Renewing(number));
        }
    }

    /** By the one writer, when every snapshot that is taken from now on shows the batch, or none does because it failed. */
    void written() {
        newestBatch.incrementAndGet();
    }

    long bytes() {
        return bytes.get();
    }

    /** How many documents were found here. */
    long hits() {
        return hits.sum();
    }

    /** By the upper bits, which {@link #place} does not use. */
    private int set(int hash) {
        return (int) ((Integer.toUnsignedLong(hash) * sets) >>> Integer.SIZE);
    }

    /** Keys are short, and those of a collection differ in few bits. */
    private static int hash(byte[] key) {
        long hash = key.length;
        int i = 0;
        for (; i + Long.BYTES <= key.length; i += Long.BYTES) {
            hash = mixed(hash ^ (long) LONG.get(key, i));
        }
        for (; i < key.length; i++) {
            hash = Long.rotateLeft(hash, Byte.SIZE) ^ key[i];
        }
        return (int) (mixed(hash) >>> 16);
    }

    private static long mixed(long bits) {
        long product = bits * 0x9E3779B97F4A7C15L;
        return product ^ product >>> 32;
    }

    /** Marks the sets to which a batch writes. */
    private final class Outdating implements Batch.Target {
        private final long number;

        Outdating(long number) {
            this.number = number;
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            delete(table, key);
        }

        @Override
        public void delete(Table table, byte[] key) {
            if (table == Table.DOCUMENTS) {
                writtenBy.setRelease(set(hash(key)), number);
            }
        }

        @Override
        public void deleteRange(Table table, KeyRange range) {
            if (table == Table.DOCUMENTS) {
                sweptBy = number;
            }
        }
    }

    /** Puts what a batch has written into the place of what was here under the same keys. */
    private final class Renewing implements Batch.Target {
        private final long number;

        Renewing(long number) {
            this.number = number;
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            renew(table, key, value.length <= documentBytesMax ? value : null);
        }

        @Override
        public void delete(Table table, byte[] key) {
            renew(table, key, null);
        }

        private void renew(Table table, byte[] key, byte @Nullable [] document) {
            if (table != Table.DOCUMENTS) {
                return;
            }
            int hash = hash(key);
            int set = set(hash);
            for (int i = set * WAYS; i < (set + 1) * WAYS; i++) {
                Entry entry = entries.getAcquire(i);
                if (entry != null && entry.isOf(key, hash)) {
                    replace(i, document == null ? null : new Entry(hash, entry.key, document, number));
                }
            }
        }

        @Override
        public void deleteRange(Table table, KeyRange range) {
            // Batches that remove documents by range renew nothing.
        }
    }
}

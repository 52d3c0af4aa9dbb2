package dev.semel.store.rocks;

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
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What was read under a key more than once. To find it here saves most of what it takes in the engine, even if that has its block
 * in memory.
 *
 * <p>Each batch that is written has a number, and each snapshot has that of the newest batch which it shows for certain. An
 * entry says from which snapshot on its value has been like this, and each set of entries which batch was the
 * last to write to what one of its keys stands for; it knows that before the engine has the batch. So an entry holds for all snapshots
 * that are not older than it, as long as no batch came to its set after it. What is outdated need not be removed, and neither readers
 * nor the writer wait for anybody.
 */
final class VersionedCache<V> {
    /** For so many bytes there is a place. Entries of 300 bytes fill a third of the places then, and find one. */
    private static final int BYTES_PER_PLACE = 128;

    /** Of an entry, beside the contents of its key and its value. */
    private static final int ENTRY_BYTES = 64;

    /** Entries in a set: so many keys with equal hashes do not displace each other. */
    private static final int WAYS = 4;

    private static final int SETS_MAX = 1 << 22;

    /** Of a set without entries: a reference for each place, and what is noted of the set. */
    private static final int SET_BYTES = WAYS * 4 + Long.BYTES + Integer.BYTES;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long bytesMax;
    private final ToIntFunction<V> size;
    private final int sets;
    private final AtomicReferenceArray<@Nullable Entry<V>> entries;

    /** Of each set, the newest batch that wrote to what a key of it stands for. */
    private final AtomicLongArray writtenBy;

    /** Of each set, the hash of the key that was looked for in vain last: what is read once is not worth the room. */
    private final AtomicIntegerArray missed;

    /** The newest batch that wrote to keys which it does not name. */
    private volatile long sweptBy;

    private final AtomicLong bytes = new AtomicLong();

    /** Where entries are removed next if there are too many. */
    private final AtomicInteger hand = new AtomicInteger();

    private final LongAdder hits = new LongAdder();

    private record Entry<V>(int hash, byte[] key, V value, long since) {
        boolean isOf(byte[] other, int hashOfOther) {
            return hash == hashOfOther && Arrays.equals(key, other);
        }
    }

    /**
     * @param bytesMax with 0 it stays empty
     * @param size of a value, in bytes
     */
    VersionedCache(long bytesMax, ToIntFunction<V> size) {
        this.sets = Math.clamp(bytesMax / BYTES_PER_PLACE / WAYS, 1, SETS_MAX);
        this.bytesMax = Math.max(0, bytesMax - (long) sets * SET_BYTES);
        this.size = size;
        this.entries = new AtomicReferenceArray<>(sets * WAYS);
        this.writtenBy = new AtomicLongArray(sets);
        this.missed = new AtomicIntegerArray(sets);
    }

    /** Null if it is not known what the snapshot with this number shows. */
    @Nullable
    V get(byte[] key, long snapshot) {
        int hash = hash(key, key.length);
        int set = set(hash);
        for (int i = set * WAYS; i < (set + 1) * WAYS; i++) {
            Entry<V> entry = entries.getAcquire(i);
            if (entry != null && entry.isOf(key, hash)) {
                if (entry.since > snapshot || !isCurrent(entry, set)) {
                    return null;
                }
                hits.increment();
                return entry.value;
            }
        }
        return null;
    }

    private boolean isCurrent(Entry<V> entry, int set) {
        return entry.since >= writtenBy.getAcquire(set) && entry.since >= sweptBy;
    }

    /** Whether the key has been looked for in vain before; from now on it has. */
    boolean isMissedAgain(byte[] key) {
        int hash = hash(key, key.length);
        int set = set(hash);
        if (missed.getPlain(set) == hash) {
            return true;
        }
        missed.setPlain(set, hash);
        return false;
    }

    /** What the snapshot with this number has shown, read from the engine; it is not changed afterwards. */
    void put(byte[] key, V value, long snapshot) {
        int hash = hash(key, key.length);
        replace(place(key, hash, set(hash)), new Entry<>(hash, key.clone(), value, snapshot));
    }

    /** That of the same key, one that is of no use, or else any. */
    private int place(byte[] key, int hash, int set) {
        int place = set * WAYS + (hash & (WAYS - 1));
        for (int i = set * WAYS; i < (set + 1) * WAYS; i++) {
            Entry<V> entry = entries.getAcquire(i);
            if (entry != null && entry.isOf(key, hash)) {
                return i;
            }
            if (entry == null || !isCurrent(entry, set)) {
                place = i;
            }
        }
        return place;
    }

    private void replace(int place, @Nullable Entry<V> entry) {
        Entry<V> before = entries.getAndSet(place, entry);
        bytes.addAndGet(bytes(entry) - bytes(before));
        while (bytes.get() > bytesMax) {
            Entry<V> gone = entries.getAndSet(Math.floorMod(hand.getAndIncrement(), entries.length()), null);
            bytes.addAndGet(-bytes(gone));
        }
    }

    private int bytes(@Nullable Entry<V> entry) {
        return entry == null ? 0 : ENTRY_BYTES + entry.key.length + size.applyAsInt(entry.value);
    }

    /** By the one writer, before the engine gets the batch: what is under the key that begins like this is not so any more. */
    void outdate(byte[] key, int length, long batch) {
        writtenBy.setRelease(set(hash(key, length)), batch);
    }

    /** The same of all keys. */
    void outdateAll(long batch) {
        sweptBy = batch;
    }

    boolean isAllOutdatedBy(long batch) {
        return sweptBy == batch;
    }

    /** By the one writer, when the engine has the batch: what is written again and again is read before that each time. */
    void renew(byte[] key, @Nullable V value, long batch) {
        int hash = hash(key, key.length);
        int set = set(hash);
        for (int i = set * WAYS; i < (set + 1) * WAYS; i++) {
            Entry<V> entry = entries.getAcquire(i);
            if (entry != null && entry.isOf(key, hash)) {
                replace(i, value == null ? null : new Entry<>(hash, entry.key, value, batch));
            }
        }
    }

    long bytes() {
        return bytes.get();
    }

    /** How often something was found here. */
    long hits() {
        return hits.sum();
    }

    /** By the upper bits, which {@link #place} does not use. */
    private int set(int hash) {
        return (int) ((Integer.toUnsignedLong(hash) * sets) >>> Integer.SIZE);
    }

    /** Keys are short, and those of a collection differ in few bits. */
    private static int hash(byte[] key, int length) {
        long hash = length;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            hash = mixed(hash ^ (long) LONG.get(key, i));
        }
        for (; i < length; i++) {
            hash = Long.rotateLeft(hash, Byte.SIZE) ^ key[i];
        }
        return (int) (mixed(hash) >>> 16);
    }

    private static long mixed(long bits) {
        long product = bits * 0x9E3779B97F4A7C15L;
        return product ^ product >>> 32;
    }
}

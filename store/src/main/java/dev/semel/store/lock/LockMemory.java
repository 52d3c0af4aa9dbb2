package dev.semel.store.lock;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** What all locks take, and what is done about it: those of owners with many are merged into ranges. */
final class LockMemory {
    /** An owner with more than this part of the memory has many locks: they are merged, and it is refused first. */
    private static final int MANY_PART = 64;

    private static final int MANY_MIN = 16;

    /** This part above the limit is reserved for owners with few locks. */
    private static final int RESERVE_PART = 8;

    private static final int SEGMENT_BYTES = 128;

    private final LongSupplier nanoTime;
    private final ReentrantLock waitsMutex;
    private final int wholes;
    private final LongSupplier bytesMax;
    private final AtomicLong bytes = new AtomicLong();

    /** Held while locks are merged: one thread at a time is enough. */
    private final ReentrantLock joining = new ReentrantLock();

    /** What could not be joined any more; 0 if that has changed since. */
    private volatile long bytesAfterJoining;

    /** Guarded by the mutex for waits, as the time. */
    private long escalations;

    private long escalationNanos;

    /**
     * @param waitsMutex taken before that of a space
     * @param wholes the space whose locks are never merged
     */
    LockMemory(LongSupplier nanoTime, ReentrantLock waitsMutex, int wholes, LongSupplier bytesMax) {
        this.nanoTime = nanoTime;
        this.waitsMutex = waitsMutex;
        this.wholes = wholes;
        this.bytesMax = bytesMax;
    }

    /** Kept by the spaces. */
    AtomicLong bytes() {
        return bytes;
    }

    long bytesMax() {
        return bytesMax.getAsLong();
    }

    boolean isFull() {
        return bytes.get() > bytesMax.getAsLong();
    }

    /** Merges locks of owners with many when all take too much; refuses more if that does not help. */
    void limit(LockOwner owner, LockSpace[] spaces) {
        long max = bytesMax.getAsLong();
        long reserved = max + max / RESERVE_PART;
        if (bytes.get() > reserved) {
            joining.lock();
        } else if (!joining.tryLock()) {
            return;
        }
        try {
            // What could not be joined a moment ago cannot be joined now; look again when some more have come.
            if (bytes.get() > max && bytes.get() >= bytesAfterJoining + max / 16) {
                join(spaces, max);
            }
        } finally {
            joining.unlock();
        }
        if (bytes.get() > reserved || (bytes.get() > max && hasMany(owner, max))) {
            throw tooManyLocks(max);
        }
    }

    private void join(LockSpace[] spaces, long max) {
        long begun = nanoTime.getAsLong();
        for (LockSpace each : spaces) {
            if (each.number != wholes) {
                join(each, many(max));
            }
        }
        bytesAfterJoining = bytes.get();
        waitsMutex.lock();
        try {
            escalations++;
            escalationNanos += nanoTime.getAsLong() - begun;
        } finally {
            waitsMutex.unlock();
        }
    }

    private void join(LockSpace space, int many) {
        byte[] from = {};
        while (from != null) {
            waitsMutex.lock();
            space.mutex.lock();
            try {
                from = space.join(from, Steps.SEGMENTS, many);
            } finally {
                space.mutex.unlock();
                waitsMutex.unlock();
            }
            Steps.giveWay(space.mutex);
            Steps.giveWay(waitsMutex);
        }
    }

    private static int many(long max) {
        return Math.clamp(max / MANY_PART / SEGMENT_BYTES, MANY_MIN, Integer.MAX_VALUE);
    }

    private static boolean hasMany(LockOwner owner, long max) {
        int many = many(max);
        for (Holding each : owner.holdings()) {
            each.space.mutex.lock();
            try {
                if (each.size() > many) {
                    return true;
                }
            } finally {
                each.space.mutex.unlock();
            }
        }
        return false;
    }

    private static CommandException tooManyLocks(long max) {
        return new CommandException(
                ErrorCode.TransactionTooLarge,
                "Locks exceed the limit of %d bytes set by the parameter lockBytesMax",
                max);
    }

    /** An owner has given back its locks. */
    void released() {
        if (bytesAfterJoining != 0 && bytes.get() < bytesAfterJoining / 2) {
            bytesAfterJoining = 0;
        }
    }

    /** Under the mutex for waits. */
    long escalations() {
        return escalations;
    }

    /** Under the mutex for waits. */
    long escalationNanos() {
        return escalationNanos;
    }
}

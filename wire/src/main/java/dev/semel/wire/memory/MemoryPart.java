package dev.semel.wire.memory;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.thread.MustWait;
import dev.semel.wire.thread.StackRoom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * One kind of use of a {@link MemoryAccount}, with its own limit. Every holder releases exactly what it has reserved,
 * whatever happens in between; {@link #open} counts what one holder has. Thread-safe; all threads share one counter, so
 * reserve for a statement, a batch or a message, not for each row.
 */
public final class MemoryPart {
    /** Holders of more bytes than this leave room in the part and in the account to small ones. */
    static final long LARGE_BYTES = 256 << 10;

    /** The share of a limit that large holders leave. */
    private static final int LEFT_TO_SMALL = 8;

    /** So large that nothing can be added to it twice, and that it may be exceeded. */
    private static final long UNLIMITED_BYTES = Long.MAX_VALUE / 2;

    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final MemoryAccount account;
    private final String name;
    private final String parameter;
    private final LongSupplier bytesMax;
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();
    private final LongAdder refusals = new LongAdder();
    private final LongAdder waits = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();

    /** How many threads wait for a release. */
    private final AtomicInteger waiting = new AtomicInteger();

    MemoryPart(MemoryAccount account, String name, String parameter, LongSupplier bytesMax) {
        this.account = account;
        this.name = name;
        this.parameter = parameter;
        this.bytesMax = bytesMax;
    }

    /** An empty reservation, for one holder. */
    public Reservation open() {
        return new Reservation(this);
    }

    /** All of the bytes or none: false, and counted as a refusal, if this part or the whole account has no room. */
    public boolean tryReserve(long bytes) {
        boolean isReserved = reserveIfFree(bytes, bytes > LARGE_BYTES);
        if (!isReserved) {
            refusals.increment();
        }
        return isReserved;
    }

    /**
     * {@link #tryReserve}, which waits for others to release something.
     *
     * @return false if there was no room in this time
     */
    public boolean tryReserve(long bytes, long nanosMax) throws InterruptedException {
        boolean isLarge = bytes > LARGE_BYTES;
        return tryReserve(bytes, isLarge, isLarge ? leftToSmall() : 0, nanosMax);
    }

    /**
     * The same for a holder that knows what it leaves.
     *
     * @param isLarge whether it leaves room in the account to others
     * @param leaving what it leaves of this part; if below 0, it may go beyond the limit by that
     */
    public boolean tryReserve(long bytes, boolean isLarge, long leaving, long nanosMax) throws InterruptedException {
        if (reserveIfFree(bytes, isLarge, leaving)) {
            return true;
        }
        MustWait.check();
        // Where the stack has too little room, this fails in place of the condition, which would leave the lock broken.
        StackRoom.make();
        waits.increment();
        lock.lockInterruptibly();
        waiting.incrementAndGet();
        account.waiting().incrementAndGet();
        try {
            long left = nanosMax;
            while (!reserveIfFree(bytes, isLarge, leaving)) {
                if (left <= 0) {
                    refusals.increment();
                    return false;
                }
                // Two concurrent reservations may each fail because of the other, and then no release wakes them:
                // both try again after a while.
                long slice = Math.min(left, RECHECK_NANOS);
                left -= slice - released.awaitNanos(slice);
            }
            return true;
        } finally {
            waiting.decrementAndGet();
            account.waiting().decrementAndGet();
            lock.unlock();
        }
    }

    /** Refused without being counted. Large holders leave some room to small ones. */
    boolean reserveIfFree(long bytes, boolean isLarge) {
        return reserveIfFree(bytes, isLarge, isLarge ? leftToSmall() : 0);
    }

    /** The same for a holder that knows what it leaves; what is below 0, it may go beyond the limit. */
    boolean reserveIfFree(long bytes, boolean isLarge, long leaving) {
        long max = Math.min(bytesMax.getAsLong(), UNLIMITED_BYTES) - leaving;
        long now;
        do {
            now = used.get();
            if (bytes > max - now) {
                return false;
            }
        } while (!used.compareAndSet(now, now + bytes));
        if (!account.tryAdd(bytes, isLarge)) {
            used.addAndGet(-bytes);
            return false;
        }
        notePeak(now + bytes);
        return true;
    }

    /** Whether more than half is in use: who can do with less for a while leaves it to others. */
    public boolean isScarce() {
        return used.get() > bytesMax.getAsLong() / 2;
    }

    long leftToSmall() {
        return bytesMax.getAsLong() / LEFT_TO_SMALL;
    }

    void refused() {
        refusals.increment();
    }

    /** For what cannot be made smaller: all of it as long as there is any room, so at most one goes beyond the limit. */
    boolean takeIfNotFull(long bytes) {
        long now;
        do {
            now = used.get();
            if (now >= bytesMax.getAsLong()) {
                refusals.increment();
                return false;
            }
        } while (!used.compareAndSet(now, now + bytes));
        account.add(bytes);
        notePeak(now + bytes);
        return true;
    }

    /** For what is there already and cannot be refused any more: beyond the limit too, which others then meet. */
    public void take(long bytes) {
        account.add(bytes);
        notePeak(used.addAndGet(bytes));
    }

    private void notePeak(long now) {
        long highest = peak.get();
        while (now > highest && !peak.compareAndSet(highest, now)) {
            highest = peak.get();
        }
    }

    public void release(long bytes) {
        used.addAndGet(-bytes);
        account.subtract(bytes);
    }

    /** Of this part or another: either may be what is waited for. */
    void wakeWaiters() {
        if (waiting.get() > 0) {
            lock.lock();
            try {
                released.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * The message for a refused client, computed with the limit for large holders, which is the lower one.
     *
     * @param what exceeds the limit, as the beginning of the message
     */
    public CommandException refusal(ErrorCode code, String what) {
        long own = bytesMax.getAsLong();
        boolean isOwn =
                own - leftToSmall() - used.get() <= account.bytesMax() - account.leftToSmall() - account.bytes();
        return new CommandException(
                code,
                "%s exceeds the limit of %d bytes set by the parameter %s, of which %d are in use",
                what,
                isOwn ? own : account.bytesMax(),
                isOwn ? parameter : account.parameter(),
                isOwn ? used.get() : account.bytes());
    }

    public String name() {
        return name;
    }

    /** The name of the parameter that sets the limit. */
    public String parameter() {
        return parameter;
    }

    public long bytesMax() {
        return bytesMax.getAsLong();
    }

    /** Reserved now. */
    public long bytes() {
        return used.get();
    }

    /** The most that was ever reserved at once. */
    public long peakBytes() {
        return peak.get();
    }

    public long refusals() {
        return refusals.sum();
    }

    /** Reservations that had to wait. */
    public long waits() {
        return waits.sum();
    }
}

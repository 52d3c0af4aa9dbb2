package dev.semel.bench.held;

import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockMode;
import dev.semel.store.lock.LockOwner;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.lock.LockTable;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** The lock table alone: an uncontended lock, beside many requests that wait for another; and beside the end of many locks. */
final class HeldLocks {
    private static final LockPolicy POLICY = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofHours(1));
    private static final int SPACE = 0;
    private static final int TIMES = 20_000;
    private static final int MANY = 300_000;
    private static final long HOT = -1;

    private final LockTable table = new LockTable(System::nanoTime, InstantSource.system(), -1, -1, () -> 1L << 30);
    private final AtomicLong ids = new AtomicLong();

    private HeldLocks() {}

    public static void main(String[] arguments) throws InterruptedException {
        for (int round = 0; round < 3; round++) {
            for (int waiting : new int[] {0, 100, 1_000, 5_000}) {
                new HeldLocks().besideWaiting(waiting);
            }
            new HeldLocks().besideRelease();
            new HeldLocks().besideJoining();
        }
    }

    private LockOwner owner() {
        return new LockOwner(ids.incrementAndGet(), POLICY);
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(12).putInt(1).putLong(number).array();
    }

    private void lock(LockOwner owner, long key) {
        table.lock(owner, SPACE, key(key), LockMode.EXCLUSIVE, Interruption.unlimited());
    }

    private void besideWaiting(int count) throws InterruptedException {
        LockOwner hot = owner();
        lock(hot, HOT);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            LockOwner each = owner();
            threads.add(Thread.startVirtualThread(() -> {
                lock(each, HOT);
                table.releaseAll(each);
            }));
        }
        while (table.statistics().pending() < count) {
            Thread.onSpinWait();
        }
        long begun = System.nanoTime();
        for (int i = 0; i < TIMES; i++) {
            LockOwner each = owner();
            lock(each, i);
            table.releaseAll(each);
        }
        long each = (System.nanoTime() - begun) / TIMES;
        begun = System.nanoTime();
        table.releaseAll(hot);
        for (Thread thread : threads) {
            thread.join();
        }
        long turn = count == 0 ? 0 : (System.nanoTime() - begun) / count;
        System.out.printf(
                "another key, ns, beside %,d who wait: %,d; ns for each of them to get its turn: %,d%n",
                count, each, turn);
    }

    /** The longest wait of another thread for a free lock while very many are released. */
    private void besideRelease() throws InterruptedException {
        LockOwner many = owner();
        for (int i = 0; i < MANY; i++) {
            lock(many, 2L * i);
        }
        long longest = longestBeside(() -> table.releaseAll(many));
        System.out.printf("longest wait for another key beside the release of %,d: %,d us%n", MANY, longest);
    }

    /** The same while locks are joined because they take too much memory. */
    private void besideJoining() throws InterruptedException {
        LockTable small = new LockTable(System::nanoTime, InstantSource.system(), -1, -1, () -> 32L << 20);
        LockOwner many = owner();
        long longest = longestBeside(small, () -> {
            for (int i = 0; i < MANY; i++) {
                small.lock(many, SPACE, key(2L * i), LockMode.EXCLUSIVE, Interruption.unlimited());
            }
        });
        System.out.printf(
                "longest wait for another key beside %,d locks in 32 MB, joined %,d times: %,d us%n",
                MANY, small.statistics().escalations(), longest);
    }

    private long longestBeside(Runnable work) throws InterruptedException {
        return longestBeside(table, work);
    }

    private long longestBeside(LockTable table, Runnable work) throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        Thread other = Thread.ofPlatform().start(() -> {
            work.run();
            done.set(true);
        });
        long longest = 0;
        long next = 1L << 40;
        while (!done.get()) {
            LockOwner each = owner();
            long begun = System.nanoTime();
            table.lock(each, SPACE, key(next++), LockMode.EXCLUSIVE, Interruption.unlimited());
            longest = Math.max(longest, System.nanoTime() - begun);
            table.releaseAll(each);
        }
        other.join();
        return longest / 1_000;
    }
}

package dev.semel.store.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.store.key.KeyRange;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The lock table against {@link LockModel}, and against chance. */
class LockTableSimulationTest {
    private static final int KEYS = 5;
    private static final int MANY_KEYS = 200;

    private static LockTable table() {
        return new LockTable(System::nanoTime, InstantSource.system());
    }

    @Test
    void grantsWaitsAndDeadlocksAreThoseOfTheModel() {
        Seeds.check(60, random -> {
            LockTable table = table();
            LockModel model = new LockModel();
            List<LockClient> clients = new ArrayList<>();
            for (int id = 0; id < 2 + random.nextInt(6); id++) {
                clients.add(new LockClient(table, id, LockPolicy.Kind.TOKUMX_TRANSACTION));
            }
            try {
                for (int step = 0; step < 80; step++) {
                    step(clients.get(random.nextInt(clients.size())), model, random);
                    compare(table, clients, model);
                }
            } finally {
                clients.forEach(LockClient::close);
            }
            assertThat(table.pending()).isEmpty();
            assertThat(table.statistics().bytes()).isZero();
        });
    }

    private static void step(LockClient client, LockModel model, Random random) {
        long id = client.owner.id();
        if (model.waitingOwners().contains(id)) {
            if (random.nextInt(3) == 0) {
                client.kill();
                assertThat(client.answer()).contains("Interrupted");
                model.withdraw(id);
            }
        } else if (random.nextInt(6) == 0) {
            client.release();
            model.release(id);
        } else {
            ask(client, model, random);
        }
    }

    private static void ask(LockClient client, LockModel model, Random random) {
        long id = client.owner.id();
        int space = random.nextInt(2);
        int first = space * (2 * KEYS + 2);
        int low = random.nextInt(KEYS);
        int high = low + 1 + random.nextInt(KEYS - low);
        LockMode mode = random.nextBoolean() ? LockMode.SHARED : LockMode.EXCLUSIVE;
        boolean granted;
        if (random.nextInt(3) > 0) {
            granted = model.request(id, first + 2 * low, first + 2 * low + 1, mode);
            client.ask(space, KeyRange.point(key(low)), mode);
        } else if (random.nextInt(8) == 0) {
            granted = model.request(id, first + 2 * low, first + 2 * KEYS + 2, mode);
            client.ask(space, KeyRange.atLeast(key(low)), mode);
        } else {
            granted = model.request(id, first + 2 * low, first + 2 * high, mode);
            client.ask(space, new KeyRange(key(low), key(high)), mode);
        }
        if (granted) {
            assertThat(client.answer()).isEqualTo("granted");
        } else if (model.waitsForItself(id)) {
            assertThat(client.answer()).contains("16760");
            model.withdraw(id);
        }
    }

    private static byte[] key(int number) {
        return new byte[] {(byte) (number + 1)};
    }

    private static void compare(LockTable table, List<LockClient> clients, LockModel model) {
        Set<Long> waiting = model.waitingOwners();
        for (LockClient each : clients) {
            if (each.isAsked() && !waiting.contains(each.owner.id())) {
                each.answer();
            }
        }
        Set<Long> pending = new TreeSet<>();
        for (PendingLock each : table.pending()) {
            pending.add(each.requester());
            assertThat(new TreeSet<>(each.blockers())).isEqualTo(model.blockersOf(each.requester()));
        }
        assertThat(pending).isEqualTo(waiting);
    }

    /** Whoever never waits in vain and never shares what is exclusive: many owners at once, all kinds of them. */
    @Test
    void ownersExcludeEachOtherAndAllGetTheirTurn() {
        Seeds.check(4, random -> {
            LockTable table = table();
            int keys = 4;
            AtomicIntegerArray writers = new AtomicIntegerArray(keys);
            AtomicIntegerArray readers = new AtomicIntegerArray(keys);
            AtomicInteger turns = new AtomicInteger();
            AtomicInteger violations = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int client = 0; client < 32; client++) {
                Random own = new Random(random.nextLong());
                long first = client * 1_000_000L;
                threads.add(Thread.ofVirtual().start(() -> {
                    for (int turn = 0; turn < 100; turn++) {
                        new Turn(table, own, first + turn, writers, readers, violations).run();
                        turns.incrementAndGet();
                    }
                }));
            }
            for (Thread each : threads) {
                assertThat(each.join(java.time.Duration.ofSeconds(60))).isTrue();
            }
            assertThat(violations).hasValue(0);
            assertThat(turns).hasValue(3200);
            assertThat(table.pending()).isEmpty();
            assertThat(table.statistics().bytes()).isZero();
        });
    }

    /**
     * Locks of some are joined all the time, in two key spaces, while others come and go: no exclusive lock is shared,
     * all threads end, and no lock is left.
     */
    @Test
    void mergingLocksAdmitsNoConflictingOwner() {
        Seeds.check(4, random -> {
            LockTable table = new LockTable(System::nanoTime, InstantSource.system(), -1, -1, () -> 4_000);
            AtomicIntegerArray writers = new AtomicIntegerArray(2 * MANY_KEYS);
            AtomicInteger violations = new AtomicInteger();
            AtomicInteger completed = new AtomicInteger();
            List<Thread> threads = new ArrayList<>();
            for (int client = 0; client < 12; client++) {
                Random own = new Random(random.nextLong());
                boolean isGreedy = client < 3;
                long first = client * 1_000_000L;
                threads.add(Thread.ofVirtual().start(() -> {
                    for (int turn = 0; turn < 60; turn++) {
                        exclusively(table, own, first + turn, isGreedy ? 60 : 3, writers, violations);
                        completed.incrementAndGet();
                    }
                }));
            }
            for (Thread each : threads) {
                assertThat(each.join(java.time.Duration.ofSeconds(60))).isTrue();
            }
            assertThat(violations).hasValue(0);
            assertThat(completed).hasValue(12 * 60);
            assertThat(table.statistics().escalations()).isPositive();
            assertThat(table.pending()).isEmpty();
            assertThat(table.statistics().bytes()).isZero();
        });
    }

    private static void exclusively(
            LockTable table, Random random, long id, int count, AtomicIntegerArray writers, AtomicInteger violations) {
        LockPolicy.Kind[] kinds = LockPolicy.Kind.values();
        LockOwner owner =
                new LockOwner(id, LockPolicy.of(kinds[random.nextInt(kinds.length)], java.time.Duration.ofHours(1)));
        Set<Integer> cells = new TreeSet<>();
        try {
            for (int i = 0; i < count; i++) {
                int space = random.nextInt(2);
                int key = random.nextInt(MANY_KEYS);
                int more = random.nextInt(10) == 0 ? random.nextInt(4) : 0;
                int last = Math.min(MANY_KEYS - 1, key + more);
                table.lock(
                        owner,
                        space,
                        KeyRange.closed(longKey(key), longKey(last)),
                        LockMode.EXCLUSIVE,
                        Interruption.unlimited());
                for (int cell = key; cell <= last; cell++) {
                    if (cells.add(space * MANY_KEYS + cell) && writers.incrementAndGet(space * MANY_KEYS + cell) != 1) {
                        violations.incrementAndGet();
                    }
                }
                Thread.onSpinWait();
            }
        } catch (dev.semel.wire.CommandException | DeadlockVictim e) {
            LockSupport.parkNanos(1_000);
        } finally {
            cells.forEach(writers::decrementAndGet);
            table.releaseAll(owner);
        }
    }

    private static byte[] longKey(int number) {
        return new byte[] {0, 0, 0, 1, (byte) number};
    }

    /** One owner's life: a few locks in any order, checked while all are held, then released. */
    private record Turn(
            LockTable table,
            Random random,
            long id,
            AtomicIntegerArray writers,
            AtomicIntegerArray readers,
            AtomicInteger violations) {
        void run() {
            LockPolicy.Kind[] kinds = {
                LockPolicy.Kind.STATEMENT, LockPolicy.Kind.TOKUMX_TRANSACTION, LockPolicy.Kind.SESSION_TRANSACTION
            };
            LockOwner owner = new LockOwner(
                    id, LockPolicy.of(kinds[random.nextInt(kinds.length)], java.time.Duration.ofHours(1)));
            @Nullable LockMode[] modes = new @Nullable LockMode[writers.length()];
            try {
                for (int i = 0; i < 1 + random.nextInt(4); i++) {
                    int key = random.nextInt(modes.length);
                    LockMode mode = random.nextInt(3) == 0 ? LockMode.EXCLUSIVE : LockMode.SHARED;
                    table.lock(owner, key % 2, key(key), mode, Interruption.unlimited());
                    LockMode before = modes[key];
                    modes[key] = before == null ? mode : before.with(mode);
                    LockSupport.parkNanos(1_000);
                }
                check(modes);
            } catch (dev.semel.wire.CommandException | DeadlockVictim e) {
                LockSupport.parkNanos(1_000);
            } finally {
                table.releaseAll(owner);
            }
        }

        private void check(@Nullable LockMode[] modes) {
            count(modes, 1);
            LockSupport.parkNanos(1_000);
            for (int key = 0; key < modes.length; key++) {
                boolean wrong = modes[key] == LockMode.EXCLUSIVE
                        ? writers.get(key) != 1 || readers.get(key) != 0
                        : modes[key] == LockMode.SHARED && writers.get(key) != 0;
                if (wrong) {
                    violations.incrementAndGet();
                }
            }
            count(modes, -1);
        }

        private void count(@Nullable LockMode[] modes, int by) {
            for (int key = 0; key < modes.length; key++) {
                if (modes[key] == LockMode.EXCLUSIVE) {
                    writers.addAndGet(key, by);
                } else if (modes[key] == LockMode.SHARED) {
                    readers.addAndGet(key, by);
                }
            }
        }
    }
}

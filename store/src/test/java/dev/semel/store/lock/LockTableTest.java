package dev.semel.store.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.semel.golden.Seeds;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LockTableTest {
    private static final int SPACE = 1;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final LockTable table = new LockTable(System::nanoTime, InstantSource.system());
    private final AtomicLong ids = new AtomicLong();

    @Test
    void sharedLocksGoTogetherAndExclusiveOnesDoNot() {
        LockOwner a = owner(LockPolicy.Kind.STATEMENT);
        LockOwner b = owner(LockPolicy.Kind.STATEMENT);
        LockOwner c = owner(LockPolicy.Kind.STATEMENT);
        lock(a, key(1), LockMode.SHARED);
        lock(b, key(1), LockMode.SHARED);
        Waiting writer = waiting(c, key(1), LockMode.EXCLUSIVE);
        table.releaseAll(a);
        assertThat(table.pending()).hasSize(1);
        table.releaseAll(b);
        writer.isGranted();
    }

    @Test
    void readersThatComeLaterDoNotOvertakeAWriter() {
        LockOwner reader = owner(LockPolicy.Kind.STATEMENT);
        LockOwner writer = owner(LockPolicy.Kind.STATEMENT);
        LockOwner later = owner(LockPolicy.Kind.STATEMENT);
        lock(reader, key(1), LockMode.SHARED);
        Waiting writing = waiting(writer, key(1), LockMode.EXCLUSIVE);
        Waiting reading = waiting(later, key(1), LockMode.SHARED);
        assertThat(table.pending())
                .extracting(PendingLock::requester, PendingLock::blockers)
                .containsExactly(tuple(writer.id(), List.of(reader.id())), tuple(later.id(), List.of(writer.id())));
        table.releaseAll(reader);
        writing.isGranted();
        assertThat(table.pending()).hasSize(1);
        table.releaseAll(writer);
        reading.isGranted();
    }

    @Test
    void anUpgradeGoesBeforeWaitingRequests() {
        LockOwner upgrading = owner(LockPolicy.Kind.STATEMENT);
        LockOwner other = owner(LockPolicy.Kind.STATEMENT);
        LockOwner writer = owner(LockPolicy.Kind.STATEMENT);
        lock(upgrading, key(1), LockMode.SHARED);
        lock(other, key(1), LockMode.SHARED);
        Waiting writing = waiting(writer, key(1), LockMode.EXCLUSIVE);
        Waiting upgrade = waiting(upgrading, key(1), LockMode.EXCLUSIVE);
        table.releaseAll(other);
        upgrade.isGranted();
        table.releaseAll(upgrading);
        writing.isGranted();
    }

    /** To put a thread aside takes room on its stack. */
    @Test
    void waitsWithoutRoomLeaveNothingBehind() {
        LockOwner holder = owner(LockPolicy.Kind.STATEMENT);
        LockOwner deep = owner(LockPolicy.Kind.STATEMENT);
        lock(holder, key(1), LockMode.EXCLUSIVE);
        assertThatThrownBy(() -> CompletableFuture.runAsync(() -> lockFarDown(deep), Thread::startVirtualThread)
                        .join())
                .hasCauseInstanceOf(CommandException.class);
        assertThat(table.pending()).isEmpty();
        table.releaseAll(holder);
        lock(owner(LockPolicy.Kind.STATEMENT), key(1), LockMode.EXCLUSIVE);
    }

    /** Where the stack ends, and then where a little less of it is used, until there is room at least to begin with the wait. */
    @SuppressWarnings("InfiniteRecursion")
    private void lockFarDown(LockOwner owner) {
        try {
            lockFarDown(owner);
        } catch (StackOverflowError e) {
            Interruption soon = Interruption.at(System::nanoTime, System.nanoTime() + 20_000_000);
            table.lock(owner, SPACE, KeyRange.point(key(1)), LockMode.EXCLUSIVE, soon);
        }
    }

    @Test
    void rangesIncludeTheirGaps() {
        LockOwner a = owner(LockPolicy.Kind.STATEMENT);
        LockOwner b = owner(LockPolicy.Kind.STATEMENT);
        table.lock(a, SPACE, KeyRange.closed(key(10), key(20)), LockMode.SHARED, Interruption.unlimited());
        lock(b, key(9), LockMode.EXCLUSIVE);
        lock(b, key(21), LockMode.EXCLUSIVE);
        lock(b, key(15), LockMode.SHARED);
        Waiting insert = waiting(b, key(12), LockMode.EXCLUSIVE);
        table.releaseAll(a);
        insert.isGranted();
    }

    @Test
    void upgradeOfAPartLeavesTheRestShared() {
        LockOwner a = owner(LockPolicy.Kind.STATEMENT);
        LockOwner b = owner(LockPolicy.Kind.STATEMENT);
        table.lock(a, SPACE, KeyRange.closed(key(10), key(20)), LockMode.SHARED, Interruption.unlimited());
        table.lock(a, SPACE, KeyRange.closed(key(14), key(16)), LockMode.EXCLUSIVE, Interruption.unlimited());
        assertThat(start(() -> lock(b, key(13), LockMode.SHARED))).satisfies(Waiting::isGranted);
        assertThat(start(() -> lock(b, key(17), LockMode.SHARED))).satisfies(Waiting::isGranted);
        Waiting reading = waiting(b, key(15), LockMode.SHARED);
        table.releaseAll(a);
        reading.isGranted();
    }

    @Test
    void aRangeWaitsForThePointsInIt() {
        LockOwner a = owner(LockPolicy.Kind.STATEMENT);
        LockOwner b = owner(LockPolicy.Kind.STATEMENT);
        LockOwner c = owner(LockPolicy.Kind.STATEMENT);
        lock(a, key(12), LockMode.EXCLUSIVE);
        Waiting range = waiting(() ->
                table.lock(b, SPACE, KeyRange.closed(key(10), key(20)), LockMode.SHARED, Interruption.unlimited()));
        // Not yet locked, but asked for before.
        Waiting insert = waiting(c, key(13), LockMode.EXCLUSIVE);
        table.releaseAll(a);
        range.isGranted();
        table.releaseAll(b);
        insert.isGranted();
    }

    @Test
    void aPlainStatementGivesWayInACycle() {
        LockOwner statement = owner(LockPolicy.Kind.STATEMENT);
        LockOwner transaction = owner(LockPolicy.Kind.TOKUMX_TRANSACTION);
        lock(statement, key(1), LockMode.EXCLUSIVE);
        lock(transaction, key(2), LockMode.EXCLUSIVE);
        Waiting victim = waiting(statement, key(2), LockMode.EXCLUSIVE);
        Waiting other = start(() -> lock(transaction, key(1), LockMode.EXCLUSIVE));
        assertThat(victim.failure()).isInstanceOf(DeadlockVictim.class);
        table.releaseAll(statement);
        other.isGranted();
    }

    @Test
    void theTransactionThatClosesACycleGetsTheError() {
        LockOwner a = owner(LockPolicy.Kind.TOKUMX_TRANSACTION);
        LockOwner b = owner(LockPolicy.Kind.TOKUMX_TRANSACTION);
        lock(a, key(1), LockMode.EXCLUSIVE);
        lock(b, key(2), LockMode.EXCLUSIVE);
        Waiting first = waiting(a, key(2), LockMode.EXCLUSIVE);
        assertThatThrownBy(() -> lock(b, key(1), LockMode.EXCLUSIVE))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.location(16760)));
        table.releaseAll(b);
        first.isGranted();
    }

    @Test
    void twoUpgradesAreACycle() {
        LockOwner a = owner(LockPolicy.Kind.TOKUMX_TRANSACTION);
        LockOwner b = owner(LockPolicy.Kind.TOKUMX_TRANSACTION);
        lock(a, key(1), LockMode.SHARED);
        lock(b, key(1), LockMode.SHARED);
        Waiting first = waiting(a, key(1), LockMode.EXCLUSIVE);
        assertThatThrownBy(() -> lock(b, key(1), LockMode.EXCLUSIVE)).isInstanceOf(CommandException.class);
        table.releaseAll(b);
        first.isGranted();
    }

    @Test
    void aSessionTransactionDoesNotWait() {
        LockOwner a = owner(LockPolicy.Kind.STATEMENT);
        LockOwner b = owner(LockPolicy.Kind.SESSION_TRANSACTION);
        lock(a, key(1), LockMode.EXCLUSIVE);
        assertThatThrownBy(() -> lock(b, key(1), LockMode.EXCLUSIVE))
                .isInstanceOfSatisfying(CommandException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.WriteConflict);
                    assertThat(e.labels()).containsExactly("TransientTransactionError");
                });
        assertThat(table.pending()).isEmpty();
    }

    @Test
    void waitingEndsWithTheLockTimeout() {
        LockOwner a = owner(LockPolicy.Kind.TOKUMX_TRANSACTION);
        lock(a, key(1), LockMode.EXCLUSIVE);
        for (LockPolicy.Kind kind : List.of(LockPolicy.Kind.STATEMENT, LockPolicy.Kind.TOKUMX_TRANSACTION)) {
            LockOwner b = new LockOwner(ids.incrementAndGet(), LockPolicy.of(kind, Duration.ofMillis(5)));
            assertThatThrownBy(() -> lock(b, key(1), LockMode.EXCLUSIVE))
                    .isInstanceOfSatisfying(
                            CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.location(16759)));
        }
        LockOwner c = new LockOwner(
                ids.incrementAndGet(), LockPolicy.of(LockPolicy.Kind.CATALOG_CHANGE, Duration.ofMillis(5)));
        assertThatThrownBy(() -> lock(c, key(1), LockMode.EXCLUSIVE))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LockTimeout));
        assertThat(table.pending()).isEmpty();
    }

    @Test
    void aKilledWaitEndsAndLetsOthersGoOn() {
        LockOwner a = owner(LockPolicy.Kind.STATEMENT);
        LockOwner b = owner(LockPolicy.Kind.STATEMENT);
        LockOwner c = owner(LockPolicy.Kind.STATEMENT);
        lock(a, key(1), LockMode.SHARED);
        Interruption interruption = Interruption.unlimited();
        Waiting killed = waiting(() -> table.lock(b, SPACE, key(1), LockMode.EXCLUSIVE, interruption));
        Waiting reader = waiting(c, key(1), LockMode.SHARED);
        interruption.kill(new CommandException(ErrorCode.Interrupted, "killed"));
        assertThat(killed.failure()).hasMessageContaining("killed");
        reader.isGranted();
    }

    @Test
    void locksOfOneOwnerAreMergedWhenThereAreTooMany() {
        LockTable small = new LockTable(System::nanoTime, InstantSource.system(), -1, -1, () -> 20_000);
        LockOwner a = owner(LockPolicy.Kind.STATEMENT);
        for (int i = 0; i < 1000; i++) {
            small.lock(a, SPACE, key(i * 2), LockMode.EXCLUSIVE, Interruption.unlimited());
        }
        assertThat(small.held(a, 1000)).hasSizeLessThanOrEqualTo(20_000 / 128);
        assertThat(small.statistics().escalations()).isPositive();
        small.releaseAll(a);
        assertThat(small.statistics().bytes()).isZero();
    }

    /** Nobody has written the key, so a write conflict would be untrue. */
    @Test
    void aSessionTransactionWaitsWhereLocksWereJoined() {
        LockTable small = small(20_000);
        LockOwner many = owner(LockPolicy.Kind.STATEMENT);
        lockEvenKeys(small, many, 1000);
        LockOwner session = owner(LockPolicy.Kind.SESSION_TRANSACTION);
        Waiting waiting = waiting(small, session, key(7));
        small.releaseAll(many);
        waiting.isGranted();
        assertThatThrownBy(() -> small.lock(
                        owner(LockPolicy.Kind.SESSION_TRANSACTION),
                        SPACE,
                        key(7),
                        LockMode.EXCLUSIVE,
                        Interruption.unlimited()))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.WriteConflict));
    }

    @Test
    void aSessionTransactionFailsAsSoonAsTheConflictIsReal() {
        LockTable small = small(20_000);
        LockOwner many = owner(LockPolicy.Kind.STATEMENT);
        lockEvenKeys(small, many, 1000);
        LockOwner writer = owner(LockPolicy.Kind.STATEMENT);
        Waiting writing = waiting(small, writer, key(7));
        Waiting session = waiting(small, owner(LockPolicy.Kind.SESSION_TRANSACTION), key(7));
        LockOwner last = owner(LockPolicy.Kind.STATEMENT);
        Waiting behind = waiting(small, last, key(7));
        small.releaseAll(many);
        writing.isGranted();
        assertThat(session.failure())
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.WriteConflict));
        small.releaseAll(writer);
        behind.isGranted();
    }

    @Test
    void locksOfOwnersWithFewAreNotMerged() {
        LockTable small = small(20_000);
        LockOwner few = owner(LockPolicy.Kind.SESSION_TRANSACTION);
        small.lock(few, SPACE, key(5000), LockMode.EXCLUSIVE, Interruption.unlimited());
        small.lock(few, SPACE, key(6000), LockMode.EXCLUSIVE, Interruption.unlimited());
        lockEvenKeys(small, owner(LockPolicy.Kind.STATEMENT), 1000);
        small.lock(
                owner(LockPolicy.Kind.SESSION_TRANSACTION),
                SPACE,
                key(5500),
                LockMode.EXCLUSIVE,
                Interruption.unlimited());
        assertThat(small.held(few, 10)).hasSize(2);
        assertThat(small.statistics().escalations()).isPositive();
    }

    @Test
    void whoHasManyIsRefusedFirst() {
        LockTable small = small(20_000);
        LockOwner a = owner(LockPolicy.Kind.TOKUMX_TRANSACTION);
        LockOwner b = owner(LockPolicy.Kind.TOKUMX_TRANSACTION);
        // Taking turns: nothing of either can be joined without covering what is the other's.
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1000; i++) {
                        small.lock(i % 2 == 0 ? a : b, SPACE, key(i), LockMode.EXCLUSIVE, Interruption.unlimited());
                    }
                })
                .isInstanceOfSatisfying(CommandException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.TransactionTooLarge);
                    assertThat(e).hasMessageContaining("20000 bytes set by the parameter lockBytesMax");
                });
        LockOwner few = owner(LockPolicy.Kind.SESSION_TRANSACTION);
        small.lock(few, SPACE, key(5000), LockMode.EXCLUSIVE, Interruption.unlimited());
        small.releaseAll(a);
        small.releaseAll(few);
        small.lock(b, SPACE, key(6000), LockMode.EXCLUSIVE, Interruption.unlimited());
        small.releaseAll(b);
        assertThat(small.statistics().bytes()).isZero();
    }

    /** A million intentions on one collection are a crowd: the one who wants it whole waits for all, then has it. */
    @Test
    void aWholeIsHadWhenAllOfACrowdHaveGone() {
        List<LockOwner> crowd = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            crowd.add(owner(LockPolicy.Kind.TOKUMX_TRANSACTION));
            lock(crowd.getLast(), key(1), i % 2 == 0 ? LockMode.INTENT_SHARED : LockMode.INTENT_EXCLUSIVE);
        }
        LockOwner change = owner(LockPolicy.Kind.CATALOG_CHANGE);
        Waiting reading = waiting(change, key(1), LockMode.SHARED);
        LockOwner later = owner(LockPolicy.Kind.STATEMENT);
        Waiting writing = waiting(later, key(1), LockMode.INTENT_EXCLUSIVE);
        assertThat(table.pending().getFirst().blockers()).hasSize(100);
        for (int i = 1; i < 1000; i += 2) {
            table.releaseAll(crowd.get(i));
        }
        reading.isGranted();
        assertThat(table.pending()).hasSize(1);
        table.releaseAll(change);
        writing.isGranted();
        crowd.forEach(table::releaseAll);
        table.releaseAll(later);
        assertThat(table.statistics().bytes()).isZero();
    }

    /** In order, each as soon as the one before has been released; requests for other keys are not delayed. */
    @Test
    void aLongQueueIsServedInOrder() throws InterruptedException {
        LockOwner first = owner(LockPolicy.Kind.STATEMENT);
        lock(first, key(1), LockMode.EXCLUSIVE);
        List<Long> served = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            LockOwner each = owner(LockPolicy.Kind.STATEMENT);
            threads.add(Thread.startVirtualThread(() -> {
                lock(each, key(1), LockMode.EXCLUSIVE);
                served.add(each.id());
                table.releaseAll(each);
            }));
            int expected = i + 1;
            await(() -> table.statistics().pending() == expected);
        }
        LockOwner other = owner(LockPolicy.Kind.STATEMENT);
        lock(other, key(2), LockMode.EXCLUSIVE);
        table.releaseAll(first);
        for (Thread each : threads) {
            each.join();
        }
        assertThat(served).hasSize(500).isSorted();
        table.releaseAll(other);
        assertThat(table.statistics().bytes()).isZero();
    }

    private static LockTable small(long bytesMax) {
        return new LockTable(System::nanoTime, InstantSource.system(), -1, -1, () -> bytesMax);
    }

    private static void lockEvenKeys(LockTable small, LockOwner owner, int count) {
        for (int i = 0; i < count; i++) {
            small.lock(owner, SPACE, key(i * 2), LockMode.EXCLUSIVE, Interruption.unlimited());
        }
    }

    private static Waiting waiting(LockTable small, LockOwner owner, byte[] key) {
        int before = small.pending().size();
        Waiting waiting = start(() -> small.lock(owner, SPACE, key, LockMode.EXCLUSIVE, Interruption.unlimited()));
        await(() -> small.pending().size() > before);
        return waiting;
    }

    @Test
    void aFullTableRefusesMore() {
        LockTable small = new LockTable(System::nanoTime, InstantSource.system(), -1, -1, () -> 2_100);
        List<LockOwner> owners = new ArrayList<>();
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 20; i++) {
                        owners.add(owner(LockPolicy.Kind.STATEMENT));
                        small.lock(owners.getLast(), SPACE, key(i), LockMode.EXCLUSIVE, Interruption.unlimited());
                    }
                })
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TransactionTooLarge));
        assertThat(owners).hasSize(19);
    }

    /** Owners take random locks and check that these are exclusive; cycles are broken, and no owner waits for ever. */
    @Test
    void anExclusiveLockExcludesAllOthers() {
        Seeds.check(3, random -> {
            int keys = 6;
            AtomicInteger[] readers = new AtomicInteger[keys];
            AtomicInteger[] writers = new AtomicInteger[keys];
            for (int i = 0; i < keys; i++) {
                readers[i] = new AtomicInteger();
                writers[i] = new AtomicInteger();
            }
            List<CompletableFuture<Integer>> workers = new ArrayList<>();
            for (int worker = 0; worker < 16; worker++) {
                long seed = random.nextLong();
                CompletableFuture<Integer> done = new CompletableFuture<>();
                workers.add(done);
                Thread.startVirtualThread(() -> {
                    try {
                        done.complete(work(new Random(seed), readers, writers));
                    } catch (Throwable e) {
                        done.completeExceptionally(e);
                    }
                });
            }
            int completed = 0;
            for (CompletableFuture<Integer> each : workers) {
                completed += each.get(50, TimeUnit.SECONDS);
            }
            assertThat(completed).isEqualTo(16 * 100);
            assertThat(table.pending()).isEmpty();
        });
    }

    private int work(Random random, AtomicInteger[] readers, AtomicInteger[] writers) {
        int completed = 0;
        while (completed < 100) {
            LockOwner owner = owner(LockPolicy.Kind.STATEMENT);
            int[] held = new int[readers.length];
            try {
                for (int step = 0; step < 3; step++) {
                    int low = random.nextInt(readers.length);
                    int high = random.nextInt(3) == 0 ? Math.min(readers.length - 1, low + random.nextInt(3)) : low;
                    boolean exclusive = random.nextBoolean();
                    LockMode mode = exclusive ? LockMode.EXCLUSIVE : LockMode.SHARED;
                    if (low == high) {
                        lock(owner, key(low), mode);
                    } else {
                        table.lock(owner, SPACE, KeyRange.closed(key(low), key(high)), mode, Interruption.unlimited());
                    }
                    for (int i = low; i <= high; i++) {
                        enter(i, exclusive, held, readers, writers);
                    }
                    Thread.onSpinWait();
                }
                completed++;
            } catch (DeadlockVictim expected) {
                // The statement runs again.
            } finally {
                for (int i = 0; i < held.length; i++) {
                    readers[i].addAndGet(held[i] > 0 ? -1 : 0);
                    writers[i].addAndGet(held[i] > 1 ? -1 : 0);
                }
                table.releaseAll(owner);
            }
        }
        return completed;
    }

    private static void enter(
            int key, boolean exclusive, int[] held, AtomicInteger[] readers, AtomicInteger[] writers) {
        if (held[key] == 0) {
            readers[key].incrementAndGet();
            held[key] = 1;
        }
        if (exclusive && held[key] == 1) {
            writers[key].incrementAndGet();
            held[key] = 2;
        }
        assertThat(writers[key].get()).isLessThanOrEqualTo(1);
        if (writers[key].get() == 1) {
            assertThat(readers[key].get()).isEqualTo(1);
        }
    }

    // ---- helpers

    private LockOwner owner(LockPolicy.Kind kind) {
        return new LockOwner(ids.incrementAndGet(), LockPolicy.of(kind, LONG));
    }

    @Test
    void aStatementHasOneLimitForAllItsWaitsHoweverOftenItBegins() {
        AtomicLong now = new AtomicLong();
        LockTable timed = new LockTable(now::get, InstantSource.system());
        LockPolicy holding = LockPolicy.of(LockPolicy.Kind.TOKUMX_TRANSACTION, LONG);
        LockOwner one = new LockOwner(1, holding);
        LockOwner other = new LockOwner(2, holding);
        timed.lock(one, SPACE, key(1), LockMode.EXCLUSIVE, Interruption.unlimited());
        timed.lock(other, SPACE, key(2), LockMode.EXCLUSIVE, Interruption.unlimited());
        Interruption statement = Interruption.unlimited();
        LockPolicy policy = LockPolicy.of(LockPolicy.Kind.STATEMENT, LONG);
        AtomicReference<Thread> thread = new AtomicReference<>();
        Waiting first = start(() -> timed.lock(new LockOwner(3, policy), SPACE, key(1), LockMode.EXCLUSIVE, statement));
        await(() -> timed.pending().size() == 1);
        now.addAndGet(LONG.toNanos() * 2 / 3);
        timed.releaseAll(one);
        first.isGranted();
        Waiting second = start(() -> {
            thread.set(Thread.currentThread());
            timed.lock(new LockOwner(4, policy), SPACE, key(2), LockMode.EXCLUSIVE, statement);
        });
        await(() -> timed.pending().size() == 1);
        now.addAndGet(LONG.toNanos() * 2 / 3);
        LockSupport.unpark(thread.get());
        assertThat(second.failure()).hasMessageContaining("Lock not granted within the lock timeout");
        statement.nextStatement();
        assertThat(statement.waitedNanos()).isZero();
    }

    private void lock(LockOwner owner, byte[] key, LockMode mode) {
        table.lock(owner, SPACE, key, mode, Interruption.unlimited());
    }

    private static byte[] key(int number) {
        return new byte[] {0, 0, 0, 1, (byte) (number >> 8), (byte) number};
    }

    private Waiting waiting(LockOwner owner, byte[] key, LockMode mode) {
        return waiting(() -> lock(owner, key, mode));
    }

    /** Runs it in its own thread and returns when it waits. */
    private Waiting waiting(Runnable request) {
        int before = table.pending().size();
        Waiting waiting = start(request);
        await(() -> table.pending().size() > before);
        return waiting;
    }

    private static Waiting start(Runnable request) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                request.run();
                done.complete(null);
            } catch (RuntimeException e) {
                done.completeExceptionally(e);
            }
        });
        return new Waiting(done);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private record Waiting(CompletableFuture<Void> done) {
        void isGranted() {
            assertThat(done).succeedsWithin(Duration.ofSeconds(20));
        }

        Throwable failure() {
            try {
                done.get(20, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                return Objects.requireNonNull(e.getCause());
            } catch (InterruptedException | TimeoutException e) {
                throw new AssertionError(e);
            }
            throw new AssertionError("was granted");
        }
    }
}

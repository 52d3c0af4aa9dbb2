package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.thread.MustWait;
import dev.semel.wire.thread.SharedThread;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupCommitTest {
    private static final LockPolicy POLICY = LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofSeconds(4));

    private final AtomicReference<Throwable> fatal = new AtomicReference<>();

    private Transactions open(Store store) {
        Transactions opened = Transactions.open(
                store, TransactionOptions.forHeap(1 << 30), InstantSource.system(), System::nanoTime, recordFatal());
        // A committer that begins late would take what a test leaves.
        await(() -> Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().equals("semel-commit"))
                .allMatch(each -> each.getState() == Thread.State.WAITING));
        return opened;
    }

    private Consumer<Throwable> recordFatal() {
        return fatal::set;
    }

    private static Commit write(Transactions transactions, long key) {
        Transaction transaction = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited());
        transaction.put(Table.DOCUMENTS, key(key), new byte[] {1});
        return transaction.commit();
    }

    private static byte[] key(long number) {
        return ByteBuffer.allocate(8).putLong(number).array();
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            LockSupport.parkNanos(10_000);
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A sync takes as long as every other client needs to get as far as waiting for the next one. */
    @Test
    void manyClientsShareTheirSyncs() throws InterruptedException {
        int clients = 64;
        int commits = 50;
        AtomicInteger running = new AtomicInteger(clients);
        Set<Commit> waiting = ConcurrentHashMap.newKeySet();
        AtomicLong syncs = new AtomicLong();
        Store store = new SlowStore(() -> {
            syncs.incrementAndGet();
            await(() -> waiting.stream().filter(each -> !each.isDurable()).count() >= running.get());
        });
        List<Thread> threads = new ArrayList<>();
        try (Transactions transactions = open(store)) {
            for (int client = 0; client < clients; client++) {
                int first = client * commits;
                threads.add(Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < commits; i++) {
                        Commit commit = write(transactions, first + i);
                        waiting.add(commit);
                        commit.awaitDurable();
                        waiting.remove(commit);
                    }
                    running.decrementAndGet();
                }));
            }
            for (Thread each : threads) {
                each.join();
            }
            assertThat(transactions.statistics().committed()).isEqualTo((long) clients * commits);
        }
        // One client needs one sync for each commit.
        assertThat(clients * (double) commits / syncs.get()).isGreaterThan(15);
        assertThat(fatal).hasValue(null);
    }

    private static void onSharedThread(Runnable work) {
        SharedThread thread = new SharedThread("shared", work);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        thread.setUncaughtExceptionHandler((dead, e) -> failure.set(e));
        thread.start();
        Threads.join(thread);
        assertThat(failure).hasValue(null);
    }

    @Test
    void sharedThreadLeavesItsCommitsUntilItHasAllOfThem() {
        try (Transactions transactions = open(new SlowStore(() -> {}))) {
            onSharedThread(() -> {
                Commit first = write(transactions, 1);
                Commit second = write(transactions, 2);
                assertThat(first.isApplied()).isFalse();
                assertThat(second.isApplied()).isFalse();
                assertThat(transactions.applyLeft()).isTrue();
                assertThat(first.isApplied()).isTrue();
                assertThat(second.isApplied()).isTrue();
                assertThat(first.clusterTime()).isEqualTo(second.clusterTime());
                assertThat(transactions.applyLeft()).isFalse();
            });
            assertThat(transactions.log().groups()).isEqualTo(1);
        }
    }

    @Test
    void whatIsLeftIsAppliedByWhoeverWaitsForIt() {
        try (Transactions transactions = open(new SlowStore(() -> {}))) {
            AtomicReference<Commit> left = new AtomicReference<>();
            onSharedThread(() -> left.set(write(transactions, 1)));
            assertThat(left.get().isApplied()).isFalse();
            left.get().awaitDurable();
            assertThat(transactions.log().groups()).isEqualTo(1);
        }
    }

    @Test
    void whatIsLeftIsAppliedWithTheCommitOfAnotherThread() {
        try (Transactions transactions = open(new SlowStore(() -> {}))) {
            AtomicReference<Commit> left = new AtomicReference<>();
            onSharedThread(() -> left.set(write(transactions, 1)));
            write(transactions, 2).awaitApplied();
            assertThat(left.get().isApplied()).isTrue();
            assertThat(transactions.log().groups()).isEqualTo(1);
        }
    }

    @Test
    void nothingIsLeftBehindABarrierThatIsClosed() {
        try (Transactions transactions = open(new SlowStore(() -> {}))) {
            AtomicReference<Commit> left = new AtomicReference<>();
            onSharedThread(() -> left.set(write(transactions, 1)));
            transactions.barrier().close(Interruption.unlimited(), 0);
            transactions.applyAll();
            assertThat(left.get().isApplied()).isTrue();
            transactions.barrier().open();
        }
    }

    @Test
    void closingAppliesWhatIsLeft() {
        Transactions transactions = open(new SlowStore(() -> {}));
        AtomicReference<Commit> left = new AtomicReference<>();
        onSharedThread(() -> left.set(write(transactions, 1)));
        transactions.close();
        assertThat(left.get().isDurable()).isTrue();
    }

    @Test
    void sharedThreadLeavesNothingWhereOthersMeetItsLocks() {
        try (Transactions transactions = open(new SlowStore(() -> {}))) {
            onSharedThread(() -> {
                Transaction first = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited());
                first.lockExclusive(Table.DOCUMENTS, key(1));
                first.put(Table.DOCUMENTS, key(1), new byte[] {1});
                Commit left = first.commit();
                SharedThread.begin();
                try (Transaction second = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited())) {
                    assertThatThrownBy(() -> second.lockExclusive(Table.DOCUMENTS, key(1)))
                            .isInstanceOf(MustWait.class);
                }
                assertThat(left.isApplied()).isFalse();
                assertThat(write(transactions, 2).isApplied()).isTrue();
                assertThat(left.isApplied()).isTrue();
                for (int i = 0; i < Gathering.COMMITS_AFTER_CONFLICT; i++) {
                    assertThat(write(transactions, 3).isApplied())
                            .as("commit %d", i)
                            .isTrue();
                }
                assertThat(write(transactions, 3).isApplied()).isFalse();
            });
        }
    }

    @Test
    void appliedDoesNotWaitForTheDiskButDurableDoes() {
        Semaphore disk = new Semaphore(0);
        try (Transactions transactions = open(new SlowStore(disk::acquireUninterruptibly))) {
            Commit first = write(transactions, 1);
            first.awaitApplied();
            Commit second = write(transactions, 2);
            second.awaitApplied();
            assertThat(first.isDurable()).isFalse();
            assertThat(transactions.visibleTime()).isEqualTo(second.clusterTime());
            assertThat(Long.compareUnsigned(transactions.durableTime(), first.clusterTime()))
                    .isNegative();
            try (Snapshot snapshot = transactions.snapshot()) {
                assertThat(snapshot.get(Table.DOCUMENTS, key(2))).isNotNull();
            }
            disk.release(1000);
            second.awaitDurable();
            assertThat(first.isDurable()).isTrue();
            assertThat(transactions.durableTime()).isEqualTo(second.clusterTime());
        }
    }

    /** A reader that waits for durable data must not see it before the disk has it. */
    @Test
    void durableTimeDoesNotAdvanceBeforeTheSyncEnds() {
        AtomicReference<Transactions> opened = new AtomicReference<>();
        List<Long> duringSyncs = new CopyOnWriteArrayList<>();
        SlowStore store = new SlowStore(() -> {
            Transactions known = opened.get();
            if (known != null) {
                duringSyncs.add(known.durableTime());
            }
        });
        try (Transactions transactions = open(store)) {
            opened.set(transactions);
            Commit commit = write(transactions, 1);
            commit.awaitDurable();
            assertThat(duringSyncs).isNotEmpty().allMatch(each -> Long.compareUnsigned(each, commit.clusterTime()) < 0);
        }
    }

    /** Another thread may cause a sync at any moment; the listeners of a commit must have been notified before. */
    @Test
    void noSyncOvertakesTheEndOfATransaction() {
        AtomicLong syncs = new AtomicLong();
        AtomicLong overtaking = new AtomicLong(-1);
        try (Transactions transactions = open(new SlowStore(syncs::incrementAndGet))) {
            Transaction transaction = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited());
            transaction.put(Table.DOCUMENTS, key(1), new byte[] {1});
            transaction.onRelease(() -> {
                transactions.log().durabilityWanted(transactions.visibleTime());
                long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200);
                while (syncs.get() == 0 && System.nanoTime() < deadline) {
                    LockSupport.parkNanos(10_000);
                }
                overtaking.set(syncs.get());
            });
            Commit commit = transaction.commit();
            commit.awaitApplied();
            assertThat(overtaking).hasValue(0);
            commit.awaitDurable();
            assertThat(syncs).hasValueGreaterThan(0);
        }
    }

    /** Otherwise clients with {@code j: false} fill the heap while the disk hangs. */
    @Test
    void whileASyncHangsWritersWaitBehindALimitAndNoTransactionIsKept() throws InterruptedException {
        int appliedMax = 32;
        int writers = 8;
        // More than the limit: none of them is done before the disk goes on.
        int commitsEach = 50;
        Semaphore disk = new Semaphore(0);
        Store store = new SlowStore(disk::acquireUninterruptibly);
        ClusterClock clock = new ClusterClock(InstantSource.system(), 0);
        Versions versions =
                new Versions(store.snapshot(0), 0, System::nanoTime, () -> TransactionOptions.forHeap(1 << 30), null);
        LocalCommitLog log = LocalCommitLog.start(
                store, new Sequencer(clock, Position.NONE), new Applier(store, versions), recordFatal(), appliedMax);
        Queue<WeakReference<Originator>> originators = new ConcurrentLinkedQueue<>();
        Queue<Commit> commits = new ConcurrentLinkedQueue<>();
        AtomicInteger applied = new AtomicInteger();
        // One is being synced, and counts.
        Commit first = log.append(oneRow(-1), new Writer(applied));
        log.durabilityWanted(first.clusterTime());
        await(disk::hasQueuedThreads);
        List<Thread> threads = new ArrayList<>();
        for (int writer = 0; writer < writers; writer++) {
            long from = writer * (long) commitsEach;
            threads.add(Thread.ofPlatform().start(() -> {
                for (long i = from; i < from + commitsEach; i++) {
                    Originator originator = new Writer(applied);
                    originators.add(new WeakReference<>(originator));
                    Commit commit = log.append(oneRow(i), originator);
                    commits.add(commit);
                    commit.awaitApplied();
                }
            }));
        }
        await(() -> applied.get() >= appliedMax
                && threads.stream().allMatch(each -> each.getState() == Thread.State.WAITING));
        assertThat(applied).hasValue(appliedMax);
        assertThat(commits).noneMatch(Commit::isDurable);
        await(() -> {
            System.gc();
            return originators.stream().filter(each -> each.get() != null).count() <= writers;
        });
        disk.release(1000);
        for (Thread each : threads) {
            each.join();
        }
        log.close();
        assertThat(commits).hasSize(writers * commitsEach).allMatch(Commit::isDurable);
        assertThat(fatal).hasValue(null);
    }

    /** What a transaction is to the log. */
    private record Writer(AtomicInteger appliedCount) implements Originator {
        @Override
        public void applying(long clusterTime) {}

        @Override
        public void applied() {
            appliedCount.incrementAndGet();
        }

        @Override
        public void lost() {}
    }

    private static CommitDraft oneRow(long key) {
        CommitDraft draft = new CommitDraft(null);
        draft.put(Table.DOCUMENTS, key(key), new byte[] {1});
        return draft;
    }

    @Test
    void aStatementThatChangedNothingIsAsDurableAsWhatItSaw() {
        Semaphore disk = new Semaphore(0);
        try (Transactions transactions = open(new SlowStore(disk::acquireUninterruptibly))) {
            Commit written = write(transactions, 1);
            written.awaitApplied();
            Transaction reader = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited());
            reader.get(Table.DOCUMENTS, key(1));
            Commit nothing = reader.commit();
            nothing.awaitApplied();
            assertThat(nothing.isDurable()).isFalse();
            disk.release(1000);
            nothing.awaitDurable();
            assertThat(transactions.durableTime()).isEqualTo(written.clusterTime());
        }
    }

    @Test
    void unawaitedCommitsAreSyncedAfterAWhile() {
        AtomicInteger syncs = new AtomicInteger();
        try (Transactions transactions = open(new SlowStore(syncs::incrementAndGet))) {
            for (int i = 0; i < 200; i++) {
                write(transactions, i).awaitApplied();
            }
            await(() -> transactions.durableTime() == transactions.visibleTime());
            assertThat(syncs.get()).isLessThan(50);
        }
    }

    @Test
    void aFailedSyncIsFatalAndAcknowledgesNothing() {
        Store store = new SlowStore(() -> {
            throw new EngineException("the disk is on fire");
        });
        try (Transactions transactions = open(store)) {
            Commit commit = write(transactions, 1);
            assertThatThrownBy(commit::awaitDurable)
                    .isInstanceOf(IllegalStateException.class)
                    .hasRootCauseMessage("the disk is on fire");
            await(() -> fatal.get() != null);
            assertThatThrownBy(() -> transactions.awaitDurable(transactions.visibleTime(), Interruption.unlimited()))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> write(transactions, 2))
                    .isInstanceOfSatisfying(
                            CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ShutdownInProgress));
        }
    }

    @Test
    void commitsThatWaitTogetherAreWrittenTogether() throws InterruptedException {
        CountDownLatch applying = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Transactions transactions = open(new SlowStore(() -> {}))) {
            transactions.listen(new CommitListener() {
                @Override
                public void applied(CommitRecord record) {
                    applying.countDown();
                    awaitUninterrupted(goOn);
                }
            });
            Thread first = Thread.ofVirtual().start(() -> write(transactions, 1).awaitDurable());
            applying.await();
            Commit second = write(transactions, 2);
            Commit third = write(transactions, 3);
            goOn.countDown();
            second.awaitDurable();
            third.awaitDurable();
            first.join();
            assertThat(transactions.log().groups()).isEqualTo(2);
        }
        assertThat(fatal).hasValue(null);
    }

    @Test
    void aRecordThatCannotBeMadeLeavesNothing() {
        try (Transactions transactions = open(new SlowStore(() -> {}))) {
            try (Transaction bad = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited())) {
                bad.lockExclusive(Table.DOCUMENTS, key(1));
                bad.put(Table.DOCUMENTS, key(1), new byte[] {1});
                bad.append((draft, all) -> {
                    throw new IllegalArgumentException("no entry");
                });
                assertThatThrownBy(bad::commit).hasMessage("no entry");
            }
            write(transactions, 2).awaitDurable();
            try (Snapshot snapshot = transactions.snapshot();
                    Transaction next = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited())) {
                next.lockExclusive(Table.DOCUMENTS, key(1));
                assertThat(snapshot.get(Table.DOCUMENTS, key(1))).isNull();
                assertThat(snapshot.get(Table.DOCUMENTS, key(2))).isNotNull();
            }
        }
        assertThat(fatal).hasValue(null);
    }

    @Test
    void closingCompletesWhatWasAppendedAndRefusesTheRest() throws InterruptedException {
        int clients = 8;
        AtomicInteger syncs = new AtomicInteger();
        Transactions transactions = open(new SlowStore(syncs::incrementAndGet));
        CountDownLatch begun = new CountDownLatch(clients * 20);
        AtomicInteger durable = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            long first = client * 1_000_000L;
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    for (long i = first; ; i++) {
                        write(transactions, i).awaitDurable();
                        durable.incrementAndGet();
                        begun.countDown();
                    }
                } catch (CommandException e) {
                    refused.incrementAndGet();
                }
            }));
        }
        begun.await();
        transactions.close();
        for (Thread each : threads) {
            each.join();
        }
        assertThat(refused).hasValue(clients);
        assertThat(transactions.statistics().committed()).isEqualTo(durable.get());
        assertThat(transactions.live()).isEmpty();
    }

    /** Nobody waits for it, and closing does. */
    @Test
    void closingSyncsTheLastGroup() {
        AtomicInteger syncs = new AtomicInteger();
        Transactions transactions = open(new SlowStore(syncs::incrementAndGet));
        Commit last = write(transactions, 1);
        last.awaitApplied();
        transactions.close();
        assertThat(last.isDurable()).isTrue();
        assertThat(syncs).hasPositiveValue();
    }
}

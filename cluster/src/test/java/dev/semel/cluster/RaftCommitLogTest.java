package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.replication.Entry;
import dev.semel.replication.Outcome;
import dev.semel.replication.Position;
import dev.semel.store.Commit;
import dev.semel.store.EngineException;
import dev.semel.store.HeldEntries;
import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Store;
import dev.semel.store.Table;
import dev.semel.store.Transaction;
import dev.semel.store.TransactionOptions;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.store.lock.Interruption;
import dev.semel.store.lock.LockPolicy;
import dev.semel.store.memory.MemoryStore;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.memory.MemoryAccount;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two members without a network between them: the test is the consensus log. */
@Timeout(60)
class RaftCommitLogTest {
    private static final long TERM = 7;
    private static final int ENTRY_BYTES_MAX = 4 << 20;

    private final List<Node> nodes = new ArrayList<>();
    private final Node primary = node(new MemoryStore());
    private final Node secondary = node(new MemoryStore());
    private long index;

    /** What was proposed, and waits for the test to say what becomes of it. */
    private record Proposal(byte[] entry, long term, CompletableFuture<Outcome> outcome) {}

    private static final class Node implements RaftCommitLog.Events, Delay.Rules {
        final BlockingQueue<Proposal> proposals = new LinkedBlockingQueue<>();
        final List<String> reopenings = new ArrayList<>();
        final List<Throwable> fatal = new CopyOnWriteArrayList<>();
        final Store store;
        final Transactions transactions;

        /** What the clock says for the commits on their way; 0 if it goes as usual. */
        final AtomicLong standing = new AtomicLong();

        Duration clockMoved = Duration.ZERO;
        final List<String> configurations = new ArrayList<>();
        Duration delay = Duration.ZERO;
        boolean heldTooMuch;

        @Nullable
        RaftCommitLog log;

        Node(Store store) {
            this(store, Long.MAX_VALUE);
        }

        Node(Store store, long heldBytesMax) {
            this.store = store;
            this.transactions = Transactions.open(
                    store,
                    TransactionOptions.forHeap(1 << 28),
                    MemoryAccount.unlimited(),
                    InstantSource.system(),
                    System::nanoTime,
                    cause -> {},
                    null,
                    (opened, sequencer, applier, fatal) -> log = new RaftCommitLog(
                            sequencer,
                            applier,
                            this::propose,
                            ENTRY_BYTES_MAX,
                            Path.of("target", "large-commits-" + System.nanoTime()),
                            new Delay(
                                    new HeldEntries(opened, applier),
                                    this,
                                    () -> Instant.now().plus(clockMoved),
                                    heldBytesMax),
                            () -> standing.get() == 0 ? System.nanoTime() : standing.get(),
                            this),
                    null);
        }

        @Override
        public Duration delay() {
            return delay;
        }

        @Override
        public void configured(byte[] document) {
            configurations.add(RawDocument.of(document).toString());
        }

        @Override
        public void tooMuch(long bytes) {
            heldTooMuch = true;
        }

        private CompletableFuture<Outcome> propose(byte[] entry, long term) {
            Proposal proposal = new Proposal(entry, term, new CompletableFuture<>());
            proposals.add(proposal);
            return proposal.outcome;
        }

        Proposal next() throws InterruptedException {
            return Objects.requireNonNull(proposals.poll(30, TimeUnit.SECONDS), "nothing was proposed");
        }

        RaftCommitLog log() {
            return Objects.requireNonNull(log);
        }

        Commit put(int key, int value) {
            try (Transaction transaction = begin()) {
                transaction.put(Table.DOCUMENTS, new byte[] {(byte) key}, new byte[] {(byte) value});
                return transaction.commit();
            }
        }

        Commit removeAll() {
            try (Transaction transaction = begin()) {
                transaction.deleteRange(Table.DOCUMENTS, KeyRange.ALL);
                return transaction.commit();
            }
        }

        private Transaction begin() {
            return transactions.begin(
                    Isolation.STATEMENT,
                    LockPolicy.of(LockPolicy.Kind.STATEMENT, Duration.ofSeconds(10)),
                    Interruption.unlimited());
        }

        int get(int key) {
            try (Snapshot snapshot = transactions.snapshot()) {
                byte[] value = snapshot.get(Table.DOCUMENTS, new byte[] {(byte) key});
                return value == null ? -1 : value[0];
            }
        }

        @Override
        public void mustReopen(String why) {
            reopenings.add(why);
        }

        @Override
        public void fatal(Throwable cause) {
            fatal.add(cause);
        }
    }

    private Node node(Store store) {
        Node node = new Node(store);
        nodes.add(node);
        return node;
    }

    @AfterEach
    void close() {
        nodes.forEach(each -> each.transactions.close());
        assertThat(nodes).allSatisfy(each -> assertThat(each.fatal).isEmpty());
    }

    /** The primary writes its first commit, before which there is no position to undo to. */
    private void begin() throws InterruptedException {
        primary.log().writable(TERM);
        Commit first = primary.put(0, 0);
        commit(primary.next());
        first.awaitDurable();
    }

    /** Both members apply it, then the proposal completes. */
    private void commit(Proposal proposal) {
        Position position = new Position(proposal.term, ++index);
        for (Node each : List.of(primary, secondary)) {
            each.log().apply(List.of(new Entry(position, proposal.entry)));
        }
        proposal.outcome.complete(new Outcome.Applied(position));
    }

    /** Its process ends; a client that hears of it before has to retry elsewhere, as if the primary had been killed. */
    @Test
    void aPrimaryThatCannotWriteAnswersAsOneThatIsLost() throws Exception {
        AtomicBoolean isFull = new AtomicBoolean();
        Node full = node(onDisk(isFull));
        full.log().writable(TERM);
        full.put(0, 0);
        Proposal first = full.next();
        Position position = new Position(TERM, 1);
        full.log().apply(List.of(new Entry(position, first.entry)));
        first.outcome.complete(new Outcome.Applied(position));
        isFull.set(true);
        Commit lost = full.put(1, 10);
        assertThatThrownBy(lost::awaitApplied)
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.InterruptedDueToReplStateChange))
                .hasMessageContaining("no space");
        while (full.fatal.isEmpty()) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(full.fatal).singleElement().isInstanceOf(EngineException.class);
        full.fatal.clear();
    }

    private static Store onDisk(AtomicBoolean isFull) {
        Store store = new MemoryStore();
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (isFull.get() && method.getName().equals("write")) {
                        throw new EngineException("no space");
                    }
                    return method.invoke(store, arguments);
                });
    }

    @Test
    void writesAreVisibleAtOnceAndDurableWhenTheSetHasThem() throws Exception {
        begin();
        Commit first = primary.put(1, 10);
        first.awaitApplied();
        Proposal proposed = primary.next();
        Commit second = primary.put(1, 11);
        second.awaitApplied();
        assertThat(primary.get(1)).isEqualTo(11);
        assertThat(primary.transactions.durableTime()).isLessThan(first.clusterTime());
        assertThat(primary.transactions.awaitDurable(
                        first.clusterTime(), Interruption.unlimited(), Duration.ofMillis(1)))
                .isFalse();
        assertThat(secondary.get(1)).isEqualTo(-1);

        commit(proposed);
        first.awaitDurable();
        assertThat(secondary.get(1)).isEqualTo(10);
        assertThat(second.isDurable()).isFalse();
        commit(primary.next());
        second.awaitDurable();
        assertThat(secondary.get(1)).isEqualTo(11);
        assertThat(secondary.store.position()).isEqualTo(primary.store.position());
    }

    /** Otherwise threads that wait for its locks would wait for two more thread switches. */
    @Test
    void theThreadThatCommitsAppliesIfNoOtherDoes() throws Exception {
        begin();
        List<Commit> commits = new ArrayList<>();
        for (int value = 1; value <= 100; value++) {
            Commit commit = primary.put(1, value);
            assertThat(commit.clusterTime())
                    .as("known without waiting, once it is applied")
                    .isGreaterThan(0);
            assertThat(primary.get(1)).isEqualTo(value);
            commits.add(commit);
        }
        while (!commits.getLast().isDurable()) {
            commit(primary.next());
        }
        assertThat(secondary.get(1)).isEqualTo(100);
        commits.forEach(Commit::awaitDurable);
    }

    /** The first entry behind that of the beginning, and the clock stands still. */
    private Proposal takenOffAt(long nanos) throws InterruptedException {
        begin();
        primary.standing.set(nanos);
        primary.put(1, 1);
        return primary.next();
    }

    /** An entry costs all members more than the commits in it. */
    @Test
    void commitsGatherWhileAnEntryIsOnItsWay() throws Exception {
        Proposal flying = takenOffAt(1);
        Commit last = primary.put(1, 2);
        for (int value = 3; value <= 8; value++) {
            last = primary.put(1, value);
        }
        last.awaitApplied();
        commit(flying);
        int entries = 0;
        while (!last.isDurable()) {
            commit(primary.next());
            entries++;
        }
        assertThat(entries)
                .as("one, or two if the last commit came when the next entry was just taking off")
                .isLessThanOrEqualTo(2);
        assertThat(secondary.get(1)).isEqualTo(8);
    }

    /** A network that takes long would otherwise let one entry pass at a time. */
    @Test
    void commitsGatherForABoundedTime() throws Exception {
        Proposal flying = takenOffAt(1);
        Commit behind = primary.put(1, 2);
        primary.standing.set(1 + TimeUnit.MILLISECONDS.toNanos(10));
        Proposal second = primary.next();
        assertThat(behind.isDurable()).isFalse();
        commit(flying);
        commit(second);
        behind.awaitDurable();
    }

    @Test
    void whatIsRefusedIsProposedAgainWithWhatFollowsIt() throws Exception {
        begin();
        Commit first = primary.put(1, 10);
        Proposal refused = primary.next();
        Commit second = primary.put(2, 20);
        Proposal behind = primary.next();
        commit(behind);
        assertThat(secondary.get(2))
                .as("skipped, because the one before it is missing")
                .isEqualTo(-1);
        refused.outcome.complete(new Outcome.Busy());

        while (!second.isDurable()) {
            commit(primary.next());
        }
        first.awaitDurable();
        assertThat(secondary.get(1)).isEqualTo(10);
        assertThat(secondary.get(2)).isEqualTo(20);
        assertThat(primary.reopenings).isEmpty();
        assertThat(secondary.store.position()).isEqualTo(primary.store.position());

        // Undo rows that were left would be applied now.
        assertThat(node(primary.store).get(2)).isEqualTo(20);
    }

    @Test
    void commitWithoutUndoRowsIsAppliedWhenTheSetHasIt() throws Exception {
        begin();
        Commit before = primary.put(1, 10);
        before.awaitApplied();
        Commit removal = primary.removeAll();
        Commit after = primary.put(2, 20);
        commit(primary.next());
        Proposal proposal = primary.next();
        assertThat(primary.get(1)).isEqualTo(10);
        assertThat(primary.get(2)).isEqualTo(-1);
        assertThat(primary.proposals).isEmpty();

        commit(proposal);
        removal.awaitApplied();
        assertThat(removal.isDurable()).isTrue();
        commit(primary.next());
        after.awaitDurable();
        for (Node each : List.of(primary, secondary)) {
            assertThat(each.get(1)).isEqualTo(-1);
            assertThat(each.get(2)).isEqualTo(20);
        }
    }

    @Test
    void commitsThatTheSetDoesNotHaveAreUndoneWhenTheDataIsReopened() throws Exception {
        begin();
        Commit known = primary.put(1, 10);
        known.awaitApplied();
        commit(primary.next());
        Commit lost = primary.put(1, 11);
        lost.awaitApplied();
        Proposal proposal = primary.next();
        long seen = lost.clusterTime();

        primary.log().notWritable();
        proposal.outcome.complete(new Outcome.Unknown("the leader is another one"));
        assertThat(primary.reopenings).hasSize(1);
        assertThatThrownBy(lost::awaitDurable)
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.InterruptedDueToReplStateChange));
        assertThatThrownBy(() -> primary.transactions.awaitDurable(seen, Interruption.unlimited()))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.InterruptedDueToReplStateChange));
        assertThatThrownBy(() -> primary.put(3, 30))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NotWritablePrimary));

        // The other member leads, and writes another commit at the same position, and one behind it.
        secondary.log().writable(TERM + 1);
        List<Entry> entries = new ArrayList<>();
        for (int key = 1; key <= 2; key++) {
            secondary.put(key, 12).awaitApplied();
            entries.add(new Entry(new Position(TERM + 1, ++index), secondary.next().entry));
        }
        primary.log().apply(entries);
        assertThat(primary.get(2))
                .as("nothing is applied on top of what is lost")
                .isEqualTo(-1);

        Node again = node(primary.store);
        assertThat(again.get(1)).isEqualTo(10);
        again.log().apply(entries);
        assertThat(again.get(1)).isEqualTo(12);
        assertThat(again.get(2)).isEqualTo(12);
    }

    @Test
    void ofTwoEntriesWithUnknownOutcomeOnlyTheCommittedOneIsDurable() throws Exception {
        begin();
        Commit first = primary.put(1, 10);
        first.awaitApplied();
        Proposal comes = primary.next();
        Commit second = primary.put(2, 20);
        second.awaitApplied();
        Proposal lost = primary.next();
        comes.outcome.complete(new Outcome.Unknown("the leader is another one"));
        lost.outcome.complete(new Outcome.Unknown("the leader is another one"));
        assertThat(primary.proposals.poll(100, TimeUnit.MILLISECONDS))
                .as("what may yet come is not proposed again")
                .isNull();

        Entry entry = new Entry(new Position(TERM, ++index), comes.entry);
        primary.log().apply(List.of(entry));
        assertThat(first.isDurable()).isTrue();
        assertThat(second.isDurable()).isFalse();
        primary.log().notWritable();
        assertThatThrownBy(second::awaitDurable)
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.InterruptedDueToReplStateChange));
        assertThat(primary.reopenings).hasSize(1);

        Node again = node(primary.store);
        assertThat(again.get(1)).isEqualTo(10);
        assertThat(again.get(2)).isEqualTo(-1);
    }

    private static void release(Node node) {
        while (node.log().release()) {}
    }

    @Test
    void aDelayedMemberAppliesCommitsWhenTheirTimeHasCome() throws Exception {
        begin();
        secondary.delay = Duration.ofHours(1);
        for (int key = 1; key <= 3; key++) {
            primary.put(key, 10 * key);
            commit(primary.next());
        }
        release(secondary);
        assertThat(secondary.get(1)).isEqualTo(-1);
        assertThat(secondary.store.position().log())
                .as("the log need not keep what is held")
                .isEqualTo(primary.store.position().log());

        secondary.clockMoved = Duration.ofMinutes(61);
        release(secondary);
        assertThat(secondary.get(3)).isEqualTo(30);
        assertThat(secondary.store.position()).isEqualTo(primary.store.position());

        primary.put(1, 11);
        commit(primary.next());
        release(secondary);
        // The clocks differ now.
        assertThat(secondary.get(1)).isEqualTo(11);
        assertThat(rows(secondary, Table.HELD)).isEmpty();
    }

    @Test
    void whatIsHeldOutlivesARestartAndIsAppliedInOrder() throws Exception {
        begin();
        secondary.delay = Duration.ofHours(1);
        primary.put(1, 10);
        commit(primary.next());
        primary.put(2, 20);
        commit(primary.next());
        Node again = node(secondary.store);
        again.delay = Duration.ofHours(1);
        release(again);
        assertThat(again.get(1)).isEqualTo(-1);

        // Not delayed any more: what comes waits behind what is held.
        again.delay = Duration.ZERO;
        Commit last = primary.put(1, 11);
        Proposal proposal = primary.next();
        Position position = new Position(proposal.term, ++index);
        for (Node each : List.of(primary, again)) {
            each.log().apply(List.of(new Entry(position, proposal.entry)));
        }
        proposal.outcome.complete(new Outcome.Applied(position));
        last.awaitDurable();
        assertThat(again.get(2)).isEqualTo(-1);
        release(again);
        assertThat(again.get(1)).isEqualTo(11);
        assertThat(again.get(2)).isEqualTo(20);
        assertThat(again.store.position()).isEqualTo(primary.store.position());
        assertThat(rows(again, Table.HELD)).isEmpty();
    }

    /** Its parts are several entries, of which a member that is killed in between must not forget the first ones. */
    @Test
    void aLongCommitIsHeldInParts() throws Exception {
        begin();
        secondary.delay = Duration.ofHours(1);
        Commit large;
        try (Transaction transaction = primary.begin()) {
            for (int key = 1; key <= 10; key++) {
                transaction.put(Table.DOCUMENTS, new byte[] {(byte) key}, new byte[1 << 20]);
            }
            large = transaction.commit();
        }
        List<Proposal> parts = new ArrayList<>();
        while (!large.isDurable()) {
            Proposal part = primary.proposals.poll(10, TimeUnit.MILLISECONDS);
            if (part != null) {
                commit(part);
                parts.add(part);
            }
        }
        assertThat(parts).hasSizeGreaterThan(2);

        secondary.clockMoved = Duration.ofHours(2);
        assertThat(secondary.log().release()).isFalse();
        assertThat(secondary.get(10)).isEqualTo(0);
        assertThat(rows(secondary, Table.HELD)).isEmpty();
    }

    @Test
    void aMemberThatHoldsEntriesIsNoPrimaryBeforeItHasAppliedThem() throws Exception {
        begin();
        secondary.delay = Duration.ofHours(1);
        primary.put(1, 10);
        commit(primary.next());
        primary.log().notWritable();
        secondary.log().writable(TERM + 1);
        release(secondary);
        assertThat(secondary.log().isBehind()).isTrue();
        assertThatThrownBy(() -> secondary.put(1, 11))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NotWritablePrimary));

        secondary.delay = Duration.ZERO;
        release(secondary);
        assertThat(secondary.log().isBehind()).isFalse();
        assertThat(secondary.get(1)).isEqualTo(10);
        secondary.put(1, 11).awaitApplied();
    }

    @Test
    void whatIsHeldInMemoryIsLimited() throws Exception {
        Node small = new Node(new MemoryStore(), 100_000);
        nodes.add(small);
        small.delay = Duration.ofHours(1);
        primary.log().writable(TERM);
        for (int i = 0; i < 100; i++) {
            Commit commit;
            try (Transaction transaction = primary.begin()) {
                transaction.put(Table.DOCUMENTS, new byte[] {(byte) i}, new byte[10_000]);
                commit = transaction.commit();
            }
            Proposal proposal = primary.next();
            Position position = new Position(proposal.term, ++index);
            for (Node each : List.of(primary, small)) {
                each.log().apply(List.of(new Entry(position, proposal.entry)));
            }
            proposal.outcome.complete(new Outcome.Applied(position));
            commit.awaitDurable();
            release(small);
        }
        assertThat(small.heldTooMuch).isTrue();
        assertThat(rows(small, Table.HELD)).hasSizeBetween(5, 10);
        assertThat(small.get(89)).isEqualTo(0);
        assertThat(small.get(99)).isEqualTo(-1);
    }

    private static List<Integer> rows(Node node, Table table) {
        List<Integer> lengths = new ArrayList<>();
        try (Snapshot snapshot = node.store.snapshot(0);
                Scan scan = snapshot.scan(table, KeyRange.ALL, false)) {
            while (scan.next()) {
                lengths.add(scan.value().length);
            }
        }
        return lengths;
    }

    @Test
    void nothingHasToBeUndoneAfterLeadershipWasHandedOver() throws Exception {
        begin();
        Commit before = primary.put(1, 10);
        before.awaitApplied();
        Proposal proposal = primary.next();
        assertThat(primary.log().hold(Duration.ofMillis(1))).isFalse();
        Commit after = primary.put(2, 20);
        commit(proposal);
        before.awaitDurable();
        assertThat(primary.log().hold(Duration.ofSeconds(30))).isTrue();
        assertThat(primary.get(2)).isEqualTo(-1);
        assertThat(primary.proposals).isEmpty();

        primary.log().goOn();
        after.awaitApplied();
        commit(primary.next());
        assertThat(primary.log().hold(Duration.ofSeconds(30))).isTrue();
        Commit lost = primary.put(3, 30);
        primary.log().notWritable();
        assertThat(primary.reopenings).isEmpty();
        assertThatThrownBy(lost::awaitApplied)
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.InterruptedDueToReplStateChange));
    }

    @Test
    void aMemberThatHasLostNothingGoesOn() throws Exception {
        begin();
        primary.log().notWritable();
        assertThat(primary.reopenings).isEmpty();
        secondary.log().writable(TERM + 1);
        Commit next = secondary.put(1, 12);
        next.awaitApplied();
        commit(secondary.next());
        next.awaitDurable();
        assertThat(primary.get(1)).isEqualTo(12);
    }
}

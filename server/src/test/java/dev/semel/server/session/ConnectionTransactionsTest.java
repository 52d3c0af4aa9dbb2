package dev.semel.server.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.once.TransactionMarks;
import dev.semel.server.once.TransactionTable;
import dev.semel.store.Isolation;
import dev.semel.store.TransactionOptions;
import dev.semel.store.Transactions;
import dev.semel.store.lock.Interruption;
import dev.semel.store.memory.MemoryStore;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How transactions of TokuMX's dialect end without their client's doing. */
class ConnectionTransactionsTest {
    private static final SessionId SESSION = SessionId.of(new UUID(1, 2));
    private static final ConnectionTransactions.Key KEY = new ConnectionTransactions.Key.OfSession(SESSION);

    private final AtomicLong nanos = new AtomicLong();
    private Duration idleLimit = Duration.ofSeconds(10);
    private Transactions transactions;
    private ConnectionTransactions tested;

    @BeforeEach
    void open() {
        transactions = Transactions.open(
                new MemoryStore(),
                TransactionOptions.forHeap(1 << 30),
                InstantSource.system(),
                System::nanoTime,
                failure -> {});
        tested = restarted();
    }

    /** As a server has it that finds in its store what another one has left. */
    private ConnectionTransactions restarted() {
        InstantSource clock = () -> Instant.EPOCH.plusNanos(Duration.ofDays(1).toNanos() + nanos.get());
        TransactionTable table = new TransactionTable(transactions, clock, () -> Duration.ofHours(1), 1 << 20);
        ConnectionTransactions restarted = new ConnectionTransactions(
                transactions,
                new TransactionMarks(transactions, table, clock),
                () -> idleLimit,
                Duration.ofMinutes(30),
                nanos::get);
        restarted.takeOver();
        return restarted;
    }

    @AfterEach
    void close() {
        transactions.close();
    }

    private OpenTransaction begin() {
        tested.begin(KEY, null, 7, Isolation.SNAPSHOT, Duration.ZERO, Interruption.unlimited());
        return enter();
    }

    private OpenTransaction enter() {
        return Objects.requireNonNull(tested.enter(KEY, false, -1, Interruption.unlimited()));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        tested.reap();
    }

    private void assertEnded() {
        assertThatThrownBy(() -> tested.enter(KEY, false, -1, Interruption.unlimited()))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NoSuchTransaction));
        assertThat(tested.enter(KEY, true, -1, Interruption.unlimited())).isNull();
        assertThat(transactions.live()).isEmpty();
    }

    @Test
    void idleTransactionIsRolledBack() {
        OpenTransaction open = begin();
        tested.leave(KEY, open);
        pass(Duration.ofSeconds(9));
        tested.leave(KEY, enter());
        pass(Duration.ofSeconds(9));
        tested.leave(KEY, enter());
        pass(Duration.ofSeconds(11));
        assertEnded();
    }

    @Test
    void limitOfZeroIsNone() {
        idleLimit = Duration.ZERO;
        tested.leave(KEY, begin());
        pass(Duration.ofDays(10));
        tested.leave(KEY, enter());
    }

    @Test
    void transactionThatIsWorkedInIsNotIdle() {
        OpenTransaction open = begin();
        pass(Duration.ofMinutes(10));
        assertThat(open.transaction().isOpen()).isTrue();
        tested.leave(KEY, open);
        tested.leave(KEY, enter());
    }

    @Test
    void endWhileACommandWorksInItStopsTheCommandFirst() {
        tested.begin(KEY, null, 7, Isolation.SNAPSHOT, Duration.ZERO, Interruption.unlimited());
        Interruption command = Interruption.unlimited();
        OpenTransaction open = Objects.requireNonNull(tested.enter(KEY, false, -1, command));
        tested.connectionClosed(7);
        assertThat(command.isKilled()).isTrue();
        assertThat(open.transaction().isOpen()).isTrue();
        tested.leave(KEY, open);
        assertEnded();
    }

    @Test
    void endedTransactionIsRememberedUntilItsClientHasHeardOfIt() {
        tested.leave(KEY, begin());
        tested.end(SESSION, true);
        assertEnded();
        assertThatThrownBy(() -> tested.commit(KEY, null, Interruption.unlimited()))
                .isInstanceOf(CommandException.class);
        assertThat(tested.enter(KEY, false, -1, Interruption.unlimited())).isNull();
    }

    @Test
    void endedTransactionIsForgottenAfterAWhile() {
        tested.leave(KEY, begin());
        tested.end(SESSION, true);
        pass(Duration.ofMinutes(31));
        assertThat(tested.enter(KEY, false, -1, Interruption.unlimited())).isNull();
    }

    @Test
    void otherConnectionsCloseWithoutConsequence() {
        tested.leave(KEY, begin());
        tested.connectionClosed(8);
        tested.leave(KEY, enter());
    }

    /** A node that is not primary any more writes nothing, and tells the session until that has ended it with the next one. */
    @Test
    void transactionInUseEndsWhereTheNodeHasGivenUp() {
        OpenTransaction open = begin();
        long before = transactions.visibleTime();
        tested.giveUp("because this member is not the primary any more");
        tested.connectionClosed(7);
        assertThat(open.transaction().isOpen()).isTrue();
        tested.leave(KEY, open);
        assertThat(transactions.live()).isEmpty();
        assertThat(transactions.visibleTime()).isEqualTo(before);
        assertEnds("because this member is not the primary any more");
        ConnectionTransactions next = restarted();
        assertThat(next.knows(KEY)).isTrue();
        assertEnds("because this member is not the primary any more");
        next.rollback(KEY, null, Interruption.unlimited());
        assertThat(tested.enter(KEY, false, -1, Interruption.unlimited())).isNull();
        assertThat(tested.isEmpty()).isTrue();
    }

    @Test
    void transactionThatWasGivenUpIsForgottenAfterAWhile() {
        tested.leave(KEY, begin());
        tested.giveUp("because this member is not the primary any more");
        pass(Duration.ofMinutes(29));
        assertThat(tested.knows(KEY)).isTrue();
        long before = transactions.visibleTime();
        pass(Duration.ofMinutes(1));
        assertThat(tested.isEmpty()).isTrue();
        assertThat(transactions.visibleTime()).isEqualTo(before);
    }

    /** Meanwhile its session has ended it with another primary. */
    @Test
    void transactionThatAnotherPrimaryHasEndedIsNotRememberedByTheNextOne() {
        tested.leave(KEY, begin());
        tested.giveUp("because this member is not the primary any more");
        restarted().rollback(KEY, null, Interruption.unlimited());
        tested.takeOver();
        assertThat(tested.isEmpty()).isTrue();
    }

    @Test
    void transactionOfAnEndedSessionIsRolledBackByTheCommandThatWorkedInIt() {
        OpenTransaction open = begin();
        tested.end(SESSION, false);
        assertThat(open.transaction().isOpen()).isTrue();
        tested.leave(KEY, open);
        assertThat(transactions.live()).isEmpty();
        assertThat(tested.isEmpty()).isTrue();
    }

    @Test
    void transactionBeginsWhenTheCommandOfTheOneBeforeHasEnded() throws Exception {
        OpenTransaction open = begin();
        tested.connectionClosed(7);
        Interruption command = Interruption.unlimited();
        Thread beginner =
                Thread.ofVirtual().start(() -> tested.begin(KEY, null, 8, Isolation.SNAPSHOT, Duration.ZERO, command));
        assertThat(open.transaction().isOpen()).isTrue();
        tested.leave(KEY, open);
        assertThat(beginner.join(Duration.ofMinutes(1))).isTrue();
        OpenTransaction next = enter();
        assertThat(open.transaction().isOpen()).isFalse();
        assertThat(next.transaction().isOpen()).isTrue();
        tested.leave(KEY, next);
    }

    @Test
    void lostTransactionIsRememberedForAsLongAsOneThatWasEnded() {
        tested.leave(KEY, begin());
        tested = restarted();
        assertEnds("because the server was restarted or another one became the primary");
        pass(Duration.ofMinutes(20));
        tested = restarted();
        pass(Duration.ofMinutes(9));
        assertThat(tested.knows(KEY)).isTrue();
        pass(Duration.ofMinutes(1));
        assertThat(tested.knows(KEY)).isFalse();
        tested = restarted();
        assertThat(tested.isEmpty()).isTrue();
    }

    @Test
    void transactionThatHasEndedIsNotLost() {
        OpenTransaction open = begin();
        tested.commit(KEY, open, Interruption.unlimited());
        tested.leave(KEY, open);
        assertThat(restarted().isEmpty()).isTrue();
        open = begin();
        tested.rollback(KEY, open, Interruption.unlimited());
        tested.leave(KEY, open);
        assertThat(restarted().isEmpty()).isTrue();
        tested.leave(KEY, begin());
        tested.end(SESSION, false);
        assertThat(restarted().isEmpty()).isTrue();
    }

    private void assertEnds(String why) {
        assertThatThrownBy(() -> tested.enter(KEY, false, -1, Interruption.unlimited()))
                .hasMessageContaining(why);
    }
}

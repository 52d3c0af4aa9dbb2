package dev.semel.server.once;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.auth.UserDigest;
import dev.semel.server.once.StatementRecord.Answered;
import dev.semel.server.once.StatementRecord.Failed;
import dev.semel.server.once.StatementRecord.Updated;
import dev.semel.server.once.TokenInquiry.Finding;
import dev.semel.store.Isolation;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
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
import dev.semel.wire.ErrorDetails;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is stored of tokens, for how long, and what can be found out of it. */
class TokenTableTest {
    private static final LockPolicy POLICY = new LockPolicy(LockPolicy.Kind.STATEMENT, 0);
    private static final Duration RETENTION = Duration.ofDays(7);
    private static final StatementRecord MODIFIED = new Updated(true, true, null);

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-21T12:00:00Z"));
    private final AtomicLong bytesMax = new AtomicLong(1 << 20);
    private final Transactions transactions = Transactions.open(
            new MemoryStore(),
            TransactionOptions.forHeap(1 << 30),
            now::get,
            () -> now.get().toEpochMilli() * 1_000_000,
            failure -> {
                throw new AssertionError(failure);
            });
    private final TokenTable table = new TokenTable(transactions, now::get, () -> RETENTION, bytesMax::get);
    private final TokenInquiry inquiry = new TokenInquiry(transactions, table);
    private final TokenRemoval removal = new TokenRemoval(transactions, table);

    @AfterEach
    void close() {
        transactions.close();
    }

    private static Token token(String text) {
        return new Token(null, Value.of(text));
    }

    private static Fingerprint command(int what) {
        Fingerprint.Maker maker = new Fingerprint.Maker(TokenCommand.UPDATE);
        maker.add(new BsonWriter().put("what", what).finish());
        return maker.finish(3);
    }

    private TokenAttempt enter(Token token, @Nullable Duration keep, int what) {
        return TokenAttempt.alone(
                table, new TokenUse(token, keep), command(what), transactions, POLICY, Interruption.unlimited());
    }

    private void write(Token token, @Nullable Duration keep, boolean ends, StatementRecord... records) {
        try (TokenAttempt attempt = enter(token, keep, 1)) {
            for (int i = 0; i < records.length; i++) {
                write(attempt, ends && i == records.length - 1, i, records[i]);
            }
        }
    }

    private void write(TokenAttempt attempt, boolean ends, int index, StatementRecord record) {
        try (Transaction transaction = transactions.begin(Isolation.STATEMENT, POLICY, Interruption.unlimited())) {
            attempt.begin();
            attempt.add(index, record);
            attempt.writeTo(transaction, ends);
            transaction.commit().awaitApplied();
            attempt.appended();
        }
    }

    private Finding ask(Token token, @Nullable Instant sentAfter, @Nullable Duration keep) {
        return inquiry.ask(token, sentAfter, keep, Duration.ZERO, Interruption.unlimited());
    }

    private int pass(Duration time) {
        now.set(now.get().plus(time));
        return removal.pass(Interruption.unlimited());
    }

    private int rows() {
        int rows = 0;
        try (Snapshot snapshot = transactions.snapshot();
                Scan scan = snapshot.scan(Table.RECORDS, KeyRange.ALL, false)) {
            while (scan.next()) {
                rows++;
            }
        }
        return rows;
    }

    @Test
    void whatHasEndedIsKnownAndWhatHasNotIsTakenUpAgain() {
        write(token("a"), null, true, MODIFIED, MODIFIED);
        write(token("b"), null, false, MODIFIED);
        try (TokenAttempt again = enter(token("a"), null, 1)) {
            assertThat(again.isEnded()).isTrue();
            assertThat(again.find(1)).isEqualTo(MODIFIED);
            assertThat(again.find(2)).isNull();
        }
        try (TokenAttempt again = enter(token("b"), null, 1)) {
            assertThat(again.isEnded()).isFalse();
            assertThat(again.find(0)).isEqualTo(MODIFIED);
            assertThat(again.find(1)).isNull();
            write(again, true, 1, new Updated(false, false, Value.of(7)));
        }
        try (TokenAttempt again = enter(token("b"), null, 1)) {
            assertThat(again.isEnded()).isTrue();
            assertThat(again.find(0)).isEqualTo(MODIFIED);
            assertThat(again.find(1)).isEqualTo(new Updated(false, false, Value.of(7)));
        }
    }

    @Test
    void aFailureIsKeptWithItsDetails() {
        CommandException error = new CommandException(ErrorCode.DuplicateKey, "100% twice")
                .withDetails(new ErrorDetails(
                        new BsonWriter().put("keyPattern", RawDocument.EMPTY).finish()));
        write(token("a"), null, true, new Failed(error, true));
        try (TokenAttempt again = enter(token("a"), null, 1)) {
            assertThat(again.find(0)).isInstanceOfSatisfying(Failed.class, failed -> {
                assertThat(failed.error().code()).isEqualTo(ErrorCode.DuplicateKey);
                assertThat(failed.error().text()).isEqualTo("100% twice");
                assertThat(failed.error().details()).isEqualTo(error.details());
                assertThat(failed.ofUpdate()).isTrue();
            });
        }
    }

    /** Or a thousand statements, each in its own commit, would write the square of that. */
    @Test
    void whatIsLargeWhileTheCommandGoesOnHasRowsOfItsOwn() {
        Answered large =
                new Answered(new BsonWriter().put("v", "x".repeat(1_000)).finish());
        write(token("a"), null, false, large, large, MODIFIED);
        assertThat(rows()).isEqualTo(2 + 2);
        try (TokenAttempt again = enter(token("a"), null, 1)) {
            assertThat(again.find(0)).isEqualTo(large);
            assertThat(again.find(1)).isEqualTo(large);
            assertThat(again.find(2)).isEqualTo(MODIFIED);
        }
        assertThat(pass(RETENTION)).isEqualTo(1);
        assertThat(rows()).isEqualTo(1);
        assertThat(table.bytes()).isZero();
    }

    @Test
    void anotherCommandIsRefusedAndAnotherUserHasTokensOfItsOwn() {
        write(token("a"), null, true, MODIFIED);
        assertThatThrownBy(() -> enter(token("a"), null, 2)).hasMessageContaining("has been used for another command");
        Token ofUser = new Token(new UserDigest(1, 2, 3, 4), Value.of("a"));
        try (TokenAttempt attempt = enter(ofUser, null, 2)) {
            assertThat(attempt.isEnded()).isFalse();
        }
    }

    // ---- for how long

    @Test
    void aTokenIsKeptForTheRetentionOrForAsLongAsItSays() {
        write(token("short"), Duration.ofSeconds(10), true, MODIFIED);
        write(token("default"), null, true, MODIFIED);
        write(token("long"), Duration.ofDays(30), true, MODIFIED);
        assertThat(pass(Duration.ofSeconds(9))).isZero();
        assertThat(pass(Duration.ofSeconds(1))).isEqualTo(1);
        assertThat(pass(RETENTION)).isEqualTo(1);
        assertThat(ask(token("long"), null, null)).isInstanceOf(Finding.Applied.class);
        assertThat(pass(Duration.ofDays(30))).isEqualTo(1);
        assertThat(table.bytes()).isZero();
        assertThat(rows()).as("what is forgotten").isEqualTo(1);
    }

    @Test
    void oneThatIsCompletedLaterIsKeptFromThenOn() {
        write(token("a"), null, false, MODIFIED);
        now.set(now.get().plus(RETENTION.minusSeconds(1)));
        try (TokenAttempt again = enter(token("a"), null, 1)) {
            write(again, true, 1, MODIFIED);
        }
        assertThat(pass(RETENTION.minusSeconds(1))).isZero();
        assertThat(ask(token("a"), null, null)).isInstanceOf(Finding.Applied.class);
        assertThat(pass(Duration.ofSeconds(1))).isEqualTo(1);
    }

    @Test
    void oneThatIsInUseIsNotRemoved() {
        write(token("a"), Duration.ofSeconds(1), false, MODIFIED);
        try (TokenAttempt again = enter(token("a"), Duration.ofSeconds(1), 1)) {
            assertThat(pass(Duration.ofSeconds(1))).isZero();
            assertThat(ask(token("a"), null, null)).isInstanceOf(Finding.InProgress.class);
            assertThat(again.find(0)).isEqualTo(MODIFIED);
        }
        assertThat(pass(Duration.ZERO)).isEqualTo(1);
    }

    // ---- what can be said

    @Test
    void whatIsNotKnownHasNotHappenedAsLongAsNothingHasBeenForgotten() {
        write(token("a"), null, true, MODIFIED);
        assertThat(ask(token("b"), null, null)).isInstanceOf(Finding.NotApplied.class);
        assertThatThrownBy(() -> enter(token("b"), null, 1)).hasMessageContaining("prohibited");
        assertThat(ask(token("b"), null, null)).isInstanceOf(Finding.NotApplied.class);
    }

    @Test
    void afterThatItDependsOnWhenItWasSent() {
        Instant written = now.get();
        write(token("a"), Duration.ofHours(1), true, MODIFIED);
        pass(Duration.ofHours(1));
        assertThat(ask(token("a"), null, null)).isInstanceOf(Finding.Forgotten.class);
        assertThat(ask(token("a"), written, null)).isInstanceOf(Finding.Forgotten.class);
        assertThat(ask(token("a"), written, Duration.ofHours(1))).isInstanceOf(Finding.Forgotten.class);
        // Sent before, and to be kept for longer: it would be here.
        assertThat(ask(token("b"), written.minusSeconds(60), Duration.ofHours(2)))
                .isInstanceOf(Finding.NotApplied.class);
        assertThat(ask(token("c"), written.plusMillis(1), null)).isInstanceOf(Finding.NotApplied.class);
    }

    @Test
    void aFenceThatIsRemovedIsNothingForgotten() {
        assertThat(ask(token("a"), null, Duration.ofSeconds(1))).isInstanceOf(Finding.NotApplied.class);
        assertThat(pass(Duration.ofSeconds(1))).isEqualTo(1);
        assertThat(ask(token("a"), null, null)).isInstanceOf(Finding.NotApplied.class);
    }

    // ---- how much

    @Test
    void withoutRoomNewTokensAreRefusedAndOldOnesKept() {
        write(token("a"), null, false, MODIFIED);
        bytesMax.set(table.bytes());
        assertThatThrownBy(() -> enter(token("b"), null, 1))
                .hasMessageContaining("'onceBytesMax' is " + bytesMax)
                .isInstanceOfSatisfying(
                        CommandException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ResourceExhausted));
        assertThatThrownBy(() -> ask(token("b"), null, null)).hasMessageContaining("No room");
        write(token("a"), null, true, MODIFIED, MODIFIED);
        assertThat(ask(token("a"), null, null)).isInstanceOf(Finding.Applied.class);
        pass(RETENTION);
        write(token("b"), null, true, MODIFIED);
    }
}

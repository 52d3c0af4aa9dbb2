package dev.semel.wire.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class MemoryAccountTest {
    private static final long FOR_EVER = TimeUnit.MINUTES.toNanos(1);

    private final MemoryAccount account = new MemoryAccount("allBytesMax", 1_000);

    @Test
    void partTakesNoMoreThanItsLimit() {
        MemoryPart part = account.part("replies", "replyBytesMax", () -> 600);
        assertThat(part.tryReserve(600)).isTrue();
        assertThat(part.tryReserve(1)).isFalse();
        assertThat(part.refusal(ErrorCode.ExceededMemoryLimit, "A reply"))
                .hasMessage(
                        "A reply exceeds the limit of 600 bytes set by the parameter replyBytesMax, of which 600 are"
                                + " in use");
        part.release(600);
        assertThat(part.bytes()).isZero();
        assertThat(part.peakBytes()).isEqualTo(600);
        assertThat(part.refusals()).isEqualTo(1);
    }

    @Test
    void partsTogetherTakeNoMoreThanTheAccountHas() {
        MemoryPart one = account.part("replies", "replyBytesMax", () -> 800);
        MemoryPart other = account.part("cursors", "cursorBytesMax", () -> 800);
        assertThat(one.tryReserve(700)).isTrue();
        assertThat(other.tryReserve(400)).isFalse();
        assertThat(other.bytes()).isZero();
        assertThat(other.tryReserve(300)).isTrue();
        assertThat(account.bytes()).isEqualTo(1_000);
        assertThat(other.refusal(ErrorCode.ExceededMemoryLimit, "A cursor"))
                .hasMessage("A cursor exceeds the limit of 1000 bytes set by the parameter allBytesMax, of which 1000"
                        + " are in use");
    }

    @Test
    void limitMayFallBelowWhatIsHeld() {
        AtomicLong limit = new AtomicLong(500);
        MemoryPart part = account.part("replies", "replyBytesMax", limit::get);
        assertThat(part.tryReserve(500)).isTrue();
        limit.set(100);
        assertThat(part.tryReserve(1)).isFalse();
        part.release(450);
        assertThat(part.tryReserve(50)).isTrue();
    }

    @Test
    void waitingReservationGoesOnWhenAnotherPartReleases() throws Exception {
        MemoryPart one = account.part("replies", "replyBytesMax", () -> 1_000);
        MemoryPart other = account.part("cursors", "cursorBytesMax", () -> 1_000);
        one.take(900);
        CompletableFuture<Boolean> waiting = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                waiting.complete(other.tryReserve(500, FOR_EVER));
            } catch (InterruptedException e) {
                waiting.completeExceptionally(e);
            }
        });
        while (other.waits() == 0) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(waiting).isNotDone();
        one.release(900);
        assertThat(waiting.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(account.bytes()).isEqualTo(500);
    }

    @Test
    void waitingEndsWithItsTime() throws InterruptedException {
        MemoryPart part = account.part("replies", "replyBytesMax", () -> 100);
        part.take(100);
        assertThat(part.tryReserve(1, 1)).isFalse();
        assertThat(part.refusals()).isEqualTo(1);
    }

    @Test
    void whatIsThereAlreadyIsCountedBeyondTheLimit() {
        MemoryPart part = account.part("replies", "replyBytesMax", () -> 100);
        part.take(2_000);
        assertThat(account.bytes()).isEqualTo(2_000);
        assertThat(part.tryReserve(1)).isFalse();
        part.release(2_000);
        assertThat(part.tryReserve(100)).isTrue();
    }

    @Test
    void reservationOfManySmallThingsLeavesNothingBehind() {
        MemoryPart part = new MemoryAccount("allBytesMax", 10 << 20).part("sorts", "sortBytesMax", () -> 10 << 20);
        try (Reservation reservation = part.open()) {
            for (int i = 0; i < 10_000; i++) {
                assertThat(reservation.tryGrow(100)).isTrue();
            }
            assertThat(reservation.bytes()).isEqualTo(1_000_000);
            assertThat(part.bytes()).isBetween(1_000_000L, 1_100_000L);
            reservation.shrink(900_000);
            assertThat(part.bytes()).isBetween(100_000L, 200_000L);
            assertThat(reservation.tryGrow(20 << 20)).isFalse();
            assertThat(reservation.bytes()).isEqualTo(100_000);
        }
        assertThat(part.bytes()).isZero();
    }

    @Test
    void reservationUsesTheLastByte() {
        MemoryPart part = account.part("sorts", "sortBytesMax", () -> 1_000);
        try (Reservation reservation = part.open()) {
            assertThat(reservation.tryGrow(999)).isTrue();
            assertThat(reservation.tryGrow(1)).isTrue();
            assertThat(reservation.tryGrow(1)).isFalse();
            assertThat(part.refusals()).isEqualTo(1);
        }
    }

    @Test
    void largeHoldersInAllPartsLeaveRoomInTheAccountToSmallOnes() throws InterruptedException {
        MemoryAccount all = new MemoryAccount("allBytesMax", 100 << 20);
        MemoryPart one = all.part("sorts", "sortBytesMax", () -> 60 << 20);
        MemoryPart other = all.part("replies", "replyBytesMax", () -> 60 << 20);
        MemoryPart third = all.part("writes", "writeBytesMax", () -> 60 << 20);
        try (Reservation grown = one.open();
                Reservation waited = third.open();
                Reservation small = third.open()) {
            while (grown.tryGrow(1 << 20)) {}
            int received = 0;
            while (other.tryReserve(1 << 20)) {
                received += 1 << 20;
            }
            while (waited.tryGrow(1 << 20, 0)) {}
            assertThat(other.tryReserve(1 << 20, 0)).isFalse();
            assertThat(all.bytes()).isBetween(78L << 20, 80L << 20);

            assertThat(small.tryGrow(256 << 10)).isTrue();
            assertThat(small.isSmallWith(1)).isFalse();
            assertThat(small.tryGrow(2 << 20)).isFalse();
            assertThat(other.tryReserve(100)).isTrue();
            other.release(received + 100);
        }
        assertThat(all.bytes()).isZero();
    }

    @Test
    void whatCannotBeMadeSmallerGoesBeyondTheLimitOnce() {
        MemoryPart part = account.part("cursors", "cursorBytesMax", () -> 100);
        try (Reservation one = part.open();
                Reservation other = part.open()) {
            assertThat(one.tryGrow(99)).isTrue();
            assertThat(one.takeIfNotFull(5_000)).isTrue();
            assertThat(other.takeIfNotFull(1)).isFalse();
            assertThat(part.refusals()).isEqualTo(1);
            one.shrink(5_000);
            assertThat(one.bytes()).isEqualTo(99);
        }
        assertThat(account.bytes()).isZero();
    }

    @Test
    void arrayLargerThanHalfARegionTakesWholeOnes() {
        assertThat(HeapBytes.ofArray(0)).isEqualTo(16);
        assertThat(HeapBytes.ofArray(1)).isEqualTo(24);
        assertThat(HeapBytes.ofArray(1_000)).isEqualTo(1_016);
        assertThat(HeapBytes.ofArray(64 << 20)).isGreaterThan(64 << 20);
    }

    @Test
    void whoAsksOnceGetsWhatHeAsksFor() {
        MemoryPart part = account.part("cursors", "cursorBytesMax", () -> 1_000);
        try (Reservation one = part.open()) {
            assertThat(one.tryGrow(300)).isTrue();
            assertThat(part.bytes()).isEqualTo(300);
            // Who asks again will do so more often.
            assertThat(one.tryGrow(100)).isTrue();
            assertThat(part.bytes()).isEqualTo(700);
        }
        assertThat(part.bytes()).isZero();
    }
}

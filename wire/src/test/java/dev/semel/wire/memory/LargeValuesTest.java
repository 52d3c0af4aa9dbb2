package dev.semel.wire.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try")
class LargeValuesTest {
    private static final int LIMIT = 32 << 20;

    private static final byte[] SMALL = new byte[1 << 20];

    private static final byte[] LARGE = new byte[8 << 20];

    private final MemoryPart part =
            new MemoryAccount("allBytesMax", 200 << 20).part("largeValues", "largeBytesMax", () -> LIMIT);

    private final LargeValues values = new LargeValues(part);

    @Test
    void aStatementDrawsForItsLargestValueOnce() {
        try (LargeValues.Statement ignored = values.begin(() -> {})) {
            assertThat(values.held(SMALL, () -> null)).isSameAs(SMALL);
            assertThat(part.bytes()).isZero();
            assertThat(values.held(LARGE, () -> null)).isSameAs(LARGE);
            long once = part.bytes();
            assertThat(once).isEqualTo(3 * HeapBytes.ofArray(LARGE.length));
            values.hold(LARGE.length / 2);
            values.hold(LARGE.length);
            assertThat(part.bytes()).isEqualTo(once);
            values.hold(2 * LARGE.length);
            assertThat(part.bytes()).isEqualTo(3 * HeapBytes.ofArray(2L * LARGE.length));
        }
        assertThat(part.bytes()).isZero();
    }

    @Test
    void whatIsReadOutsideAStatementIsNotCounted() {
        assertThat(values.held(LARGE, () -> null)).isSameAs(LARGE);
        values.hold(LARGE.length);
        assertThat(part.bytes()).isZero();
    }

    @Test
    void aStatementWithinAnotherLeavesItWhatItHas() {
        try (LargeValues.Statement ignored = values.begin(() -> {})) {
            values.hold(LARGE.length);
            long outer = part.bytes();
            try (LargeValues.Statement inner = values.begin(() -> {})) {
                assertThat(part.bytes()).isEqualTo(outer);
            }
            assertThat(part.bytes()).isEqualTo(outer);
            values.release();
            assertThat(part.bytes()).isZero();
        }
    }

    @Test
    void aStatementWithoutRoomWaitsForAnotherAndReadsAgain() throws Exception {
        CompletableFuture<byte[]> second = new CompletableFuture<>();
        byte[] again = new byte[LARGE.length];
        try (LargeValues.Statement ignored = values.begin(() -> {})) {
            values.hold(2 * LARGE.length);
            Thread.ofVirtual().start(() -> {
                try (LargeValues.Statement other = values.begin(() -> {})) {
                    second.complete(values.held(LARGE, () -> again));
                }
            });
            while (part.waits() == 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            assertThat(second).isNotDone();
        }
        assertThat(second.get(1, TimeUnit.MINUTES)).isSameAs(again);
    }

    @Test
    void aStatementBeyondTheLimitGoesOnToALargerValue() {
        AtomicInteger checks = new AtomicInteger();
        try (LargeValues.Statement ignored = values.begin(checks::incrementAndGet)) {
            values.hold(12 << 20);
            assertThat(part.bytes()).isGreaterThan(LIMIT);

            values.hold(15 << 20);
            assertThat(values.held(new byte[16 << 20], () -> null)).isNotNull();

            assertThat(part.bytes()).isEqualTo(3 * HeapBytes.ofArray(16 << 20));
        }
        assertThat(checks).hasValue(0);
        assertThat(part.bytes()).isZero();
    }

    @Test
    void aStatementThatIsStoppedWaitsNoLonger() throws Exception {
        part.take(LIMIT);
        try (LargeValues.Statement ignored = values.begin(() -> {
            throw new CommandException(ErrorCode.MaxTimeMSExpired, "over");
        })) {
            assertThatThrownBy(() -> values.hold(LARGE.length)).hasMessage("over");
        }
        assertThat(part.bytes()).isEqualTo(LIMIT);
    }
}

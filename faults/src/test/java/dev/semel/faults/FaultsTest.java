package dev.semel.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Some schedules of faults; {@code dev/faults} runs many. */
@Timeout(180)
class FaultsTest {
    /** A short one. */
    @ParameterizedTest
    @ValueSource(longs = {24})
    void nothingIsLostOrDoubled(long seed) throws Exception {
        Schedule schedule = Schedule.of(seed);
        Run.Result result = Faults.run(schedule, Plant.NONE);
        assertThat(result.wrong()).as(schedule.toString()).isEmpty();
        assertThat(result.acknowledged().get("Counters")).isPositive();
    }

    /** The workloads notice a defect, with a seed that is known to bring it about. */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"COMMIT_ALONE, 8", "READ_OLD, 3", "FORGET_UNDO, 4", "LOSE_RECORDS, 11"})
    void plantedDefectsAreFound(Plant plant, long seed) throws Exception {
        assertThat(Faults.run(Schedule.of(seed), plant).wrong()).isNotEmpty();
    }

    @Test
    void theSameSeedDecidesTheSame() {
        assertThat(Schedule.of(42)).isEqualTo(Schedule.of(42)).isNotEqualTo(Schedule.of(43));
        assertThat(ProcessSchedule.of(42)).isEqualTo(ProcessSchedule.of(42)).isNotEqualTo(ProcessSchedule.of(43));
    }

    @Test
    void timeInWhichNoMajorityAnswersDoesNotCount() {
        AtomicBoolean isSecondThere = new AtomicBoolean();
        AtomicInteger looks = new AtomicInteger();
        BooleanSupplier second = () -> looks.incrementAndGet() > 0 && isSecondThere.get();
        try (AbleTime time = new AbleTime(List.of(() -> true, second, () -> false))) {
            await(() -> looks.get() > 2);
            assertThat(time.nanos()).isZero();
            Patience patience = new Patience(time::nanos, Duration.ofMillis(1));
            assertThat(patience.isOver()).isFalse();
            isSecondThere.set(true);
            await(patience::isOver);
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}

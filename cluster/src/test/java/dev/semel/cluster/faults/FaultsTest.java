package dev.semel.cluster.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Some schedules of faults; {@code dev/faults} runs many. */
@Timeout(180)
class FaultsTest {
    @ParameterizedTest
    @ValueSource(longs = {2})
    void nothingIsLostOrDoubled(long seed) throws Exception {
        Schedule schedule = Schedule.of(seed);
        Run.Result result = Faults.run(schedule, Plant.NONE);
        assertThat(result.wrong()).as(schedule.toString()).isEmpty();
        assertThat(result.acknowledged().values()).doesNotContain(0L);
    }

    @Test
    void theSameSeedDecidesTheSame() {
        assertThat(Schedule.of(42)).isEqualTo(Schedule.of(42)).isNotEqualTo(Schedule.of(43));
    }
}

package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetentionTest {
    private final Retention retention = new Retention(100);

    @Test
    void logIsCutBelowTheNewestCheckpointWithEnoughAboveIt() {
        assertThat(retention.saved(-1, 40)).isEqualTo(-1);
        assertThat(retention.saved(10, 40)).isEqualTo(-1);
        assertThat(retention.saved(20, 40)).isEqualTo(-1);
        assertThat(retention.saved(30, 20)).isEqualTo(10);
        assertThat(retention.saved(40, 39)).isEqualTo(10);
        assertThat(retention.saved(50, 1)).isEqualTo(20);
    }

    @Test
    void checkpointThatIsFarEnoughApartIsTheOnlyOneKept() {
        assertThat(retention.saved(5, 100)).isEqualTo(5);
        assertThat(retention.saved(10, 100)).isEqualTo(10);
        assertThat(retention.saved(20, 300)).isEqualTo(20);
    }

    @Test
    void checkpointsThatAreLittleApartAreTakenForOne() {
        Retention many = new Retention(3L * Retention.SPANS_MAX);
        for (int i = 0; i < 2 * Retention.SPANS_MAX; i++) {
            assertThat(many.saved(i, 1)).isEqualTo(0);
        }
        // The first of them stands for all that were taken for one, and goes with them.
        assertThat(many.saved(10_000, 2L * Retention.SPANS_MAX + 1)).isEqualTo(Retention.SPANS_MAX + 1);
    }

    @Test
    void nothingIsKeptOfWhatIsForgotten() {
        assertThat(retention.saved(5, 60)).isEqualTo(5);
        assertThat(retention.saved(10, 60)).isEqualTo(5);
        retention.forget();
        assertThat(retention.saved(20, 1)).isEqualTo(20);
    }
}

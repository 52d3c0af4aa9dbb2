package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetentionTest {
    private static final long ANY_NUMBER = Long.MAX_VALUE;

    private final Retention retention = new Retention(100, 300, ANY_NUMBER);

    private static long saved(Retention retention, long before, long bytes) {
        return retention.saved(before, bytes, before + 1, CatchingUp.NOBODY);
    }

    private long saved(long before, long bytes) {
        return saved(retention, before, bytes);
    }

    @Test
    void logIsCutBelowTheNewestCheckpointWithEnoughAboveIt() {
        assertThat(saved(-1, 40)).isEqualTo(-1);
        assertThat(saved(10, 40)).isEqualTo(-1);
        assertThat(saved(20, 40)).isEqualTo(-1);
        assertThat(saved(30, 20)).isEqualTo(10);
        assertThat(saved(40, 39)).isEqualTo(10);
        assertThat(saved(50, 1)).isEqualTo(20);
    }

    @Test
    void checkpointThatIsFarEnoughApartIsTheOnlyOneKept() {
        assertThat(saved(5, 100)).isEqualTo(5);
        assertThat(saved(10, 100)).isEqualTo(10);
        assertThat(saved(20, 300)).isEqualTo(20);
    }

    @Test
    void whatIsNeededAboveACheckpointIsKeptUpToALimit() {
        assertThat(retention.saved(5, 100, 10, 5)).isEqualTo(5);
        assertThat(retention.saved(10, 100, 20, 5)).isEqualTo(5);
        assertThat(retention.saved(20, 100, 30, 5)).isEqualTo(5);
        // The member has got some of it.
        assertThat(retention.saved(30, 50, 40, 15)).isEqualTo(10);
        assertThat(retention.saved(40, 51, 50, 15)).isEqualTo(20);
        assertThat(retention.saved(50, 100, 60, 100)).isEqualTo(50);
    }

    @Test
    void fewerBytesAreKeptInManyShortEntries() {
        Retention few = new Retention(1000, 3000, 20);
        assertThat(few.saved(0, 10, 15, 0)).isEqualTo(0);
        assertThat(few.saved(15, 10, 20, 0)).isEqualTo(0);
        assertThat(few.saved(20, 10, 21, 0)).isEqualTo(15);
        // The newest two checkpoints have what is between them in any case.
        assertThat(few.saved(21, 10, 100, 0)).isEqualTo(21);
    }

    @Test
    void checkpointsThatAreLittleApartAreTakenForOne() {
        Retention many = new Retention(3L * Retention.SPANS_MAX, 0, ANY_NUMBER);
        for (int i = 0; i < 2 * Retention.SPANS_MAX; i++) {
            assertThat(saved(many, i, 1)).isEqualTo(0);
        }
        // The first of them stands for all that were taken for one, and goes with them.
        assertThat(saved(many, 10_000, 2L * Retention.SPANS_MAX + 1)).isEqualTo(Retention.SPANS_MAX + 1);
    }

    @Test
    void nothingIsKeptOfWhatIsForgotten() {
        assertThat(saved(5, 60)).isEqualTo(5);
        assertThat(saved(10, 60)).isEqualTo(5);
        retention.forget();
        assertThat(saved(20, 1)).isEqualTo(20);
    }
}

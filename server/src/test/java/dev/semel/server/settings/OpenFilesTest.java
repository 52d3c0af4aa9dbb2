package dev.semel.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OpenFilesTest {
    @Test
    void connectionsLeaveEnoughToTheEngineAndTheRest() {
        for (long max : new long[] {256, 300, 1024, 4096, 1 << 20}) {
            assertThat(max - OpenFiles.connectionsMax(max) - OpenFiles.engineMax(max))
                    .as("of %d", max)
                    .isGreaterThanOrEqualTo(max / 8 + 60);
        }
        assertThat(OpenFiles.connectionsMax(1024)).isEqualTo(704);
        assertThat(OpenFiles.engineMax(1024)).isEqualTo(128);
        assertThat(OpenFiles.connectionsMax(64)).isEqualTo(8);
    }

    @Test
    void withoutALimitThereAreAsManyAsWanted() {
        assertThat(OpenFiles.connectionsMax(Long.MAX_VALUE)).isGreaterThan(1L << 40);
        assertThat(OpenFiles.engineMax(Long.MAX_VALUE)).isEqualTo(2000);
    }
}

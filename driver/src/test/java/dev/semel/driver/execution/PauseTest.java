package dev.semel.driver.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.driver.error.MongoException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An overloaded server is really left alone. */
class PauseTest {
    @Test
    void pauseLasts() {
        Duration pause = Duration.ofMillis(30);
        long start = System.nanoTime();
        Pause.between("attempts", pause, () -> new MongoException("not interrupted"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(pause);
    }
}

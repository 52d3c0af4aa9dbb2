package dev.semel.driver.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.driver.connection.Time;
import dev.semel.driver.error.MongoException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An overloaded server is really left alone. */
class PauseTest {
    @Test
    void pauseLasts() {
        Duration pause = Duration.ofMillis(30);
        Time time = Time.ofSystem();
        long start = time.nanos();
        Pause.between("attempts", pause, time.sleeper(), () -> new MongoException("not interrupted"));
        assertThat(time.since(start)).isGreaterThanOrEqualTo(pause);
    }
}

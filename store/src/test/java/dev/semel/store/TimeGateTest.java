package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TimeGateTest {
    private final TimeGate gate = new TimeGate(5);
    private final List<Integer> woken = new ArrayList<>();

    @Test
    void whoAsksIsToldOnceWhenTheTimeHasCome() {
        gate.whenReached(7, () -> woken.add(7));
        gate.whenReached(8, () -> woken.add(8));
        gate.whenReached(7, () -> woken.add(7));
        gate.advance(6);
        assertThat(woken).isEmpty();
        gate.advance(7);
        assertThat(woken).containsExactly(7, 7);
        gate.advance(9);
        gate.advance(10);
        assertThat(woken).containsExactly(7, 7, 8);
    }

    @Test
    void whoAsksForWhatHasComeIsToldAtOnce() {
        gate.whenReached(5, () -> woken.add(5));
        assertThat(woken).containsExactly(5);
        gate.advance(6);
        assertThat(woken).containsExactly(5);
    }

    @Test
    void whoAsksForWhatWillNeverComeIsToldToo() {
        gate.whenReached(7, () -> woken.add(7));
        gate.fail(new CommandException(ErrorCode.InterruptedAtShutdown, "the end"));
        assertThat(woken).containsExactly(7);
        gate.whenReached(8, () -> woken.add(8));
        assertThat(woken).containsExactly(7, 8);
    }
}

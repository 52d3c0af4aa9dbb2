package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.replication.Outcome;
import dev.semel.replication.Position;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a linearizable read waits for. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BarrierTest {
    @Test
    void waitEndsWithTheOperation() {
        Interruption interruption = Interruption.unlimited();
        CompletableFuture<Outcome> never = new CompletableFuture<>();
        CommandException why = new CommandException(ErrorCode.MaxTimeMSExpired, "operation exceeded time limit");

        Thread.startVirtualThread(() -> interruption.kill(why));

        assertThatThrownBy(() -> RaftReplicaSet.outcome(never, interruption)).isSameAs(why);
    }

    @Test
    void waitEndsWithTheBarrier() {
        CompletableFuture<Outcome> barrier = new CompletableFuture<>();
        Outcome applied = new Outcome.Applied(new Position(1, 7));

        Thread.startVirtualThread(() -> barrier.complete(applied));

        assertThat(RaftReplicaSet.outcome(barrier, Interruption.unlimited())).isEqualTo(applied);
    }
}

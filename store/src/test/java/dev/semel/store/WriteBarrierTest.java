package dev.semel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WriteBarrierTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(60);

    private final WriteBarrier barrier = new WriteBarrier(System::nanoTime);

    private CompletableFuture<Void> commit(Interruption interruption) {
        return CompletableFuture.runAsync(
                () -> {
                    barrier.enter(interruption);
                    barrier.leave();
                },
                task -> Thread.ofVirtual().start(task));
    }

    private void awaitWaiting(Interruption interruption) {
        while (!barrier.holdsBack(interruption)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void commitsWaitUntilItIsOpenedAsOftenAsItWasClosed() throws Exception {
        assertThat(barrier.close(Interruption.unlimited(), LONG)).isEqualTo(1);
        assertThat(barrier.close(Interruption.unlimited(), LONG)).isEqualTo(2);
        Interruption interruption = Interruption.unlimited();
        CompletableFuture<Void> commit = commit(interruption);
        awaitWaiting(interruption);
        assertThat(barrier.open()).isEqualTo(1);
        assertThat(commit).isNotDone();
        assertThat(barrier.open()).isZero();
        commit.get();
        assertThat(barrier.open()).isEqualTo(-1);
    }

    @Test
    void closingWaitsForCommitsThatArePassing() {
        barrier.enter(Interruption.unlimited());
        CompletableFuture<Integer> closing = CompletableFuture.supplyAsync(
                () -> barrier.close(Interruption.unlimited(), LONG),
                task -> Thread.ofVirtual().start(task));
        while (barrier.timesClosed() == 0) {
            Thread.onSpinWait();
        }
        assertThat(closing).isNotDone();
        barrier.leave();
        assertThat(closing.join()).isEqualTo(1);
    }

    @Test
    void closingGivesUpInTimeAndLeavesItOpen() {
        barrier.enter(Interruption.unlimited());
        assertThatThrownBy(() -> barrier.close(Interruption.unlimited(), 0))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LockTimeout));
        assertThat(barrier.isClosed()).isFalse();
    }

    @Test
    void whoIsKilledWaitsNoLonger() {
        barrier.close(Interruption.unlimited(), LONG);
        Interruption interruption = Interruption.unlimited();
        CompletableFuture<Void> commit = commit(interruption);
        awaitWaiting(interruption);
        interruption.kill(new CommandException(ErrorCode.Interrupted, "operation was interrupted"));
        assertThatThrownBy(commit::join).hasMessageContaining("operation was interrupted");
        assertThat(barrier.holdsBack(interruption)).isFalse();
    }

    @Test
    void theEndOfTheServerLetsEverybodyPass() {
        barrier.close(Interruption.unlimited(), LONG);
        Interruption interruption = Interruption.unlimited();
        CompletableFuture<Void> commit = commit(interruption);
        awaitWaiting(interruption);
        barrier.openForEver();
        commit.join();
        commit(Interruption.unlimited()).join();
    }
}

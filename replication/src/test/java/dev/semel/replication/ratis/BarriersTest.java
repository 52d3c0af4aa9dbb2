package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.replication.Outcome;
import dev.semel.replication.Position;
import java.util.ArrayDeque;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class BarriersTest {
    private static final Outcome APPLIED = new Outcome.Applied(new Position(1, 2));
    private static final Outcome CLOSED = new Outcome.NotWritable("This member has been closed");

    private final ArrayDeque<Consumer<Outcome>> proposed = new ArrayDeque<>();
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final Barriers barriers = new Barriers(proposed::add, tasks::add);

    @Test
    void whoComesMeanwhileSharesTheNextOne() {
        Future<Outcome> first = barriers.await();
        Future<Outcome> second = barriers.await();
        Future<Outcome> third = barriers.await();

        assertThat(proposed).hasSize(1);
        proposed.remove().accept(APPLIED);
        assertThat(first.resultNow()).isEqualTo(APPLIED);
        assertThat(second).isSameAs(third).isNotDone();

        tasks.remove().run();
        proposed.remove().accept(APPLIED);
        assertThat(third.resultNow()).isEqualTo(APPLIED);
        assertThat(proposed).isEmpty();
    }

    @Test
    void nobodyWaitsForOneThatIsNeverProposed() {
        Future<Outcome> first = barriers.await();
        Future<Outcome> second = barriers.await();
        proposed.remove().accept(APPLIED);
        // The executor is shut down with its task.
        tasks.clear();

        barriers.close();

        assertThat(first.resultNow()).isEqualTo(APPLIED);
        assertThat(second.resultNow()).isEqualTo(CLOSED);
        assertThat(barriers.await().resultNow()).isEqualTo(CLOSED);
    }

    @Test
    void nobodyWaitsBehindOneThatFailsAtTheEnd() {
        Future<Outcome> first = barriers.await();
        Future<Outcome> second = barriers.await();

        barriers.close();
        proposed.remove().accept(CLOSED);

        assertThat(first.resultNow()).isEqualTo(CLOSED);
        assertThat(second.resultNow()).isEqualTo(CLOSED);
        assertThat(tasks).isEmpty();
    }

    @Test
    void executorThatRefuses() {
        Barriers refused = new Barriers(proposed::add, task -> {
            throw new RejectedExecutionException();
        });
        Future<Outcome> first = refused.await();
        Future<Outcome> second = refused.await();
        proposed.remove().accept(APPLIED);

        refused.close();

        assertThat(first.resultNow()).isEqualTo(APPLIED);
        assertThat(second.resultNow()).isEqualTo(CLOSED);
    }
}

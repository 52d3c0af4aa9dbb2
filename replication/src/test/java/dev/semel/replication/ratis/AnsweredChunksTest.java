package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.util.Timestamp;
import org.junit.jupiter.api.Test;

class AnsweredChunksTest {
    private final AtomicReference<Timestamp> answered = new AtomicReference<>(Timestamp.currentTime());
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final AtomicBoolean broken = new AtomicBoolean();

    private AnsweredChunks two(Duration answerAtMost) {
        var request = InstallSnapshotRequestProto.getDefaultInstance();
        return new AnsweredChunks(
                List.of(request, request).iterator(), answered::get, running::get, broken::get, answerAtMost);
    }

    /** As one that ended while it got a checkpoint. */
    @Test
    void aFollowerThatSaysNothingIsGivenUp() {
        var chunks = two(Duration.ofMillis(20));
        chunks.next();
        assertThatThrownBy(chunks::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no answer to a part of a checkpoint within PT0.02S");
    }

    @Test
    void aFollowerThatCannotBeReachedIsGivenUpAtOnce() {
        var chunks = two(Duration.ofMinutes(1));
        chunks.next();
        broken.set(true);
        assertThatThrownBy(chunks::next).hasMessage("the connection has broken while a checkpoint was sent");
    }

    @Test
    void theNextOneWaitsForAnAnswerToTheOneBefore() throws Exception {
        var chunks = two(Duration.ofMinutes(1));
        chunks.next();
        var second = CompletableFuture.supplyAsync(chunks::next);
        assertThat(second).isNotDone();
        answered.set(Timestamp.currentTime());
        assertThat(second.get(1, TimeUnit.MINUTES)).isNotNull();
        assertThat(chunks.hasNext()).isFalse();
    }

    @Test
    void aLeaderThatHasLostItsPlaceDoesNotWait() {
        var chunks = two(Duration.ofMinutes(1));
        chunks.next();
        running.set(false);
        assertThat(chunks.next()).isNotNull();
    }
}

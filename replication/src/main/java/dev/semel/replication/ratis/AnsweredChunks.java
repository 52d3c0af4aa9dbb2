package dev.semel.replication.ratis;

import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.util.Timestamp;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the requests that send a checkpoint one at a time, each when the follower has said something after the one before.
 * Ratis would send eight and then wait for an answer, also from a follower that has ended meanwhile: it learns of that, but
 * the thread that waits does not, and stays for eight times the timeout of a request.
 */
final class AnsweredChunks implements Iterator<InstallSnapshotRequestProto> {
    private static final long LOOK_NANOS = 200_000;

    /** Before the next attempt: the follower is probably not there yet. */
    private static final long PAUSE_NANOS = 50_000_000;

    private final Iterator<InstallSnapshotRequestProto> requests;
    private final Supplier<Timestamp> lastAnswer;
    private final BooleanSupplier isRunning;
    private final BooleanSupplier hasFailed;
    private final Duration answerAtMost;
    private @Nullable Timestamp sent;

    /**
     * @param lastAnswer when the follower has said something last
     * @param isRunning whether anything is sent at all
     * @param hasFailed whether the stream has broken since the last call
     * @param answerAtMost after which a follower that says nothing is given up
     */
    AnsweredChunks(
            Iterator<InstallSnapshotRequestProto> requests,
            Supplier<Timestamp> lastAnswer,
            BooleanSupplier isRunning,
            BooleanSupplier hasFailed,
            Duration answerAtMost) {
        this.requests = requests;
        this.lastAnswer = lastAnswer;
        this.isRunning = isRunning;
        this.hasFailed = hasFailed;
        this.answerAtMost = answerAtMost;
    }

    @Override
    public boolean hasNext() {
        return requests.hasNext();
    }

    /** @throws IllegalStateException if the follower says nothing or cannot be reached, which ends this attempt to send the checkpoint */
    @Override
    public InstallSnapshotRequestProto next() {
        InstallSnapshotRequestProto request = requests.next();
        Timestamp before = sent;
        if (before != null) {
            awaitAnswer(before);
        }
        sent = Timestamp.currentTime();
        return request;
    }

    private void awaitAnswer(Timestamp to) {
        while (isRunning.getAsBoolean() && lastAnswer.get().compareTo(to) <= 0) {
            if (hasFailed.getAsBoolean()) {
                LockSupport.parkNanos(PAUSE_NANOS);
                throw new IllegalStateException("the connection has broken while a checkpoint was sent");
            }
            if (to.elapsedTimeMs() > answerAtMost.toMillis()) {
                throw new IllegalStateException("no answer to a part of a checkpoint within " + answerAtMost);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}

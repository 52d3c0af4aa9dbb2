package dev.semel.driver;

import java.time.Duration;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** How a cursor fetches batches. */
record Fetch(
        int batchSize,
        long limit,
        Waiting waiting,
        @Nullable Duration maxAwaitTime,
        @Nullable BsonValue comment,
        @Nullable TimeoutMode timeoutMode) {
    /** What a cursor does after the last document. */
    enum Waiting {
        /** It is closed. */
        NEVER,
        /** It stays open; an empty batch is returned at once. */
        AT_THE_CLIENT,
        /** It stays open; the server waits some time for new documents. */
        AT_THE_SERVER;

        static Waiting of(CursorType type) {
            return switch (type) {
                case NON_TAILABLE -> NEVER;
                case TAILABLE -> AT_THE_CLIENT;
                case TAILABLE_AWAIT -> AT_THE_SERVER;
            };
        }
    }

    boolean isTailable() {
        return waiting != Waiting.NEVER;
    }

    /** Whether the timeout restarts with every call. */
    boolean isTimedByIteration() {
        return isTailable() || timeoutMode == TimeoutMode.ITERATION;
    }

    /** With a time limit on the first command, the server would end the cursor after that time. */
    boolean mayLimitFirstCommand() {
        return waiting == Waiting.AT_THE_SERVER || !isTimedByIteration();
    }

    void check(@Nullable Duration timeout) {
        if (timeoutMode != null && timeout == null) {
            throw new IllegalStateException("timeoutMode has no meaning where no timeout is set");
        }
        if (isTailable() && timeoutMode == TimeoutMode.CURSOR_LIFETIME) {
            throw new IllegalStateException(
                    "A tailable cursor has no lifetime that could be limited: " + "timeoutMode must be ITERATION");
        }
        if (maxAwaitTime != null && timeout != null && !timeout.isZero() && maxAwaitTime.compareTo(timeout) >= 0) {
            throw new IllegalStateException(
                    "maxAwaitTime, " + maxAwaitTime + ", must be shorter than the timeout, " + timeout);
        }
    }
}

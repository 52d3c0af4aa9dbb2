package dev.semel.driver.execution;

import dev.semel.driver.event.RetryStatistics;
import java.util.concurrent.atomic.LongAdder;

/** Counts what retrying does; an operation that succeeds at once does not come here. */
final class RetryCounters {
    private final LongAdder retried = new LongAdder();
    private final LongAdder rescued = new LongAdder();
    private final LongAdder givenUp = new LongAdder();
    private final LongAdder retries = new LongAdder();

    /** Another attempt follows; {@code made} were made before it. */
    void retry(int made) {
        retries.increment();
        if (made == 1) {
            retried.increment();
        }
    }

    void rescued() {
        rescued.increment();
    }

    void givenUp() {
        givenUp.increment();
    }

    RetryStatistics statistics() {
        return new RetryStatistics(retried.sum(), rescued.sum(), givenUp.sum(), retries.sum());
    }
}

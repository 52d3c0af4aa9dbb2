package dev.semel.cli.lab;

import java.time.Duration;
import java.util.List;

/**
 * What became of a strategy's visits while primaries were killed. Each visit has its own counter, which should be 1, or
 * 0 where the program said that it failed.
 */
record Visits(Strategy strategy, List<Visit> all) {
    /** @param isDone whether the program said so; otherwise it said that it failed */
    record Visit(boolean isDone, Duration took, int counter) {}

    long count() {
        return all.size();
    }

    /** Counted more than once. */
    long doubled() {
        return all.stream().filter(each -> each.counter > 1).count();
    }

    /** Not counted, though the program said that it was done. */
    long lost() {
        return all.stream().filter(each -> each.isDone && each.counter == 0).count();
    }

    /** The program said that it failed. */
    long failed() {
        return all.stream().filter(each -> !each.isDone).count();
    }

    /** Counted, though the program said that it failed: who visits again is counted twice. */
    long failedAndCounted() {
        return all.stream().filter(each -> !each.isDone && each.counter > 0).count();
    }

    long longestMs() {
        return all.stream().mapToLong(each -> each.took.toMillis()).max().orElse(0);
    }
}

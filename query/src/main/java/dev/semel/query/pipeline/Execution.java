package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.wire.memory.Reservation;

/**
 * What the stages of one running pipeline share.
 *
 * @param memoryBytesMax what one stage that collects documents may hold
 * @param memory what all of them hold; released when the pipeline is closed
 */
record Execution(Environment environment, long memoryBytesMax, Reservation memory) {
    static Execution of(Environment environment, long memoryBytesMax) {
        return new Execution(
                environment, memoryBytesMax, environment.memory().all().open());
    }

    MemoryBudget budget(String stage) {
        return new MemoryBudget(stage, memoryBytesMax, environment.memory(), memory);
    }
}

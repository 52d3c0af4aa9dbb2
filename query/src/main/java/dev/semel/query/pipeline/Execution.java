package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;

/**
 * What the stages of one running pipeline share.
 *
 * @param memoryBytesMax what one stage that collects documents may hold
 */
record Execution(Environment environment, long memoryBytesMax) {
    MemoryBudget budget(String stage) {
        return new MemoryBudget(stage, memoryBytesMax);
    }
}

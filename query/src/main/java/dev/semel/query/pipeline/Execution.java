package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.Reservation;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the stages of one running pipeline share.
 *
 * @param allowDiskUse whether stages that collect documents may write temporary files
 * @param memory what all of them hold; released when the pipeline is closed
 * @param budgets learns of every part of it that a stage gets
 * @param statistics of what is read of other collections; null if nobody asks
 */
record Execution(
        Environment environment,
        boolean allowDiskUse,
        Reservation memory,
        Consumer<MemoryBudget> budgets,
        @Nullable ReadStatistics statistics) {
    private static final int SMALL_BYTES = 64 << 10;

    static Execution of(Environment environment, boolean allowDiskUse, @Nullable ReadStatistics statistics) {
        return new Execution(
                environment, allowDiskUse, environment.memory().all().open(), budget -> {}, statistics);
    }

    /** The same for one stage, for {@code explain}. */
    Execution observedBy(StageWork work) {
        return new Execution(environment, allowDiskUse, memory, work::uses, work.statistics());
    }

    /** Changes how much is held of a document between one stage and the next; small ones are not counted. */
    long holdInstead(long before, long bytes) {
        long now = bytes <= SMALL_BYTES ? 0 : bytes;
        if (now < before) {
            memory.shrink(before - now);
        } else if (now > before && !memory.tryGrow(now - before)) {
            throw memory.part()
                    .refusal(ErrorCode.ExceededMemoryLimit, "What all queries hold with a document of this pipeline");
        }
        return now;
    }

    /** Of a stage that can hold documents in memory only. */
    MemoryBudget budget(String stage) {
        MemoryBudget budget = MemoryBudget.inMemory(stage, environment.memory(), memory);
        budgets.accept(budget);
        return budget;
    }

    /** Of a stage that can spill. */
    MemoryBudget spillingBudget(String stage) {
        MemoryBudget budget =
                MemoryBudget.of(stage, allowDiskUse, environment.memory(), memory, environment::checkpoint);
        budgets.accept(budget);
        return budget;
    }
}

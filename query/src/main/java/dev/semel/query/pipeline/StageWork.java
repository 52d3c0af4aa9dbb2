package dev.semel.query.pipeline;

import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What one stage of a pipeline has done so far, for {@code explain}. */
public final class StageWork {
    private final LongSupplier clock;
    private final List<MemoryBudget> budgets = new ArrayList<>();
    private final ReadStatistics statistics = new ReadStatistics();
    private long returned;
    private long returnedBytes;
    private long nanos;

    StageWork(LongSupplier clock) {
        this.clock = clock;
    }

    /** Counts what a source yields as this stage's results. */
    Source counted(Source results) {
        return new Source() {
            @Override
            public @Nullable RawDocument next() {
                long begun = clock.getAsLong();
                RawDocument next = results.next();
                nanos += clock.getAsLong() - begun;
                if (next != null) {
                    returned++;
                    returnedBytes += next.length();
                }
                return next;
            }

            @Override
            public void close() {
                results.close();
            }
        };
    }

    void uses(MemoryBudget budget) {
        budgets.add(budget);
    }

    private long sum(ToLongFunction<MemoryBudget> figure) {
        return budgets.stream().mapToLong(figure).sum();
    }

    /** Of what was read of other collections. */
    public ReadStatistics statistics() {
        return statistics;
    }

    public long returned() {
        return returned;
    }

    public long returnedBytes() {
        return returnedBytes;
    }

    /** With what the stages before it took. */
    public long nanos() {
        return nanos;
    }

    public boolean usedDisk() {
        return sum(MemoryBudget::files) > 0;
    }

    /** How often memory was written to disk. */
    public long spills() {
        return sum(each -> each.spilled().times());
    }

    public long spilledRecords() {
        return sum(each -> each.spilled().records());
    }

    /** What these records took, before they were compressed. */
    public long spilledBytes() {
        return sum(each -> each.spilled().bytes());
    }

    /** What they took on disk. */
    public long spilledDiskBytes() {
        return sum(each -> each.spilled().diskBytes());
    }

    /** The most that each field of the results held at a time. */
    public Map<String, Long> heldBytesMaxByField() {
        Map<String, Long> held = new LinkedHashMap<>();
        budgets.forEach(
                budget -> budget.parts().forEach((name, part) -> held.merge(name, part.heldBytesMax(), Math::max)));
        return held;
    }

    /** The most that was held at a time. */
    public long heldBytesMax() {
        return sum(MemoryBudget::heldBytesMax);
    }
}

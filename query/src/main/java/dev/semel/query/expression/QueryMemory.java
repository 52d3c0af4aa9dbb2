package dev.semel.query.expression;

import dev.semel.wire.memory.MemoryAccount;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.spill.SpillSpace;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What sorts, groups and other stages that collect documents may hold in memory, and where they put the rest.
 *
 * @param all of all queries together
 * @param stageBytesMax what one stage may hold
 * @param disk null if there is none: then {@code allowDiskUse} changes nothing
 */
public record QueryMemory(
        MemoryPart all,
        LongSupplier stageBytesMax,
        @Nullable SpillSpace disk) {

    /** For queries that run alone. */
    public static QueryMemory unlimited() {
        return of(Long.MAX_VALUE);
    }

    /** So much for all that draw from this alone. */
    static QueryMemory of(long bytesMax) {
        return new QueryMemory(MemoryAccount.unlimited().part("queries", "", () -> bytesMax), () -> bytesMax, null);
    }
}

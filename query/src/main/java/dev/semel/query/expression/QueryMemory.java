package dev.semel.query.expression;

import dev.semel.wire.memory.MemoryAccount;
import dev.semel.wire.memory.MemoryPart;
import java.util.function.LongSupplier;

/**
 * What sorts, groups and other stages that collect documents may hold in memory.
 *
 * @param all of all queries together
 * @param stageBytesMax what one stage may hold
 * @param diskUseBytesMax the same with {@code allowDiskUse}: nothing is written to disk, a larger limit takes its place
 * @param diskUseParameter the name under which the latter is set
 */
public record QueryMemory(
        MemoryPart all, LongSupplier stageBytesMax, LongSupplier diskUseBytesMax, String diskUseParameter) {

    /** For queries that run alone. */
    public static QueryMemory unlimited() {
        return of(Long.MAX_VALUE);
    }

    /** So much for all that draw from this alone. */
    static QueryMemory of(long bytesMax) {
        return new QueryMemory(
                MemoryAccount.unlimited().part("queries", "", () -> bytesMax), () -> bytesMax, () -> bytesMax, "");
    }
}

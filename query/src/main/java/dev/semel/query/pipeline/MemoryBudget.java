package dev.semel.query.pipeline;

import dev.semel.query.expression.QueryMemory;
import dev.semel.query.pipeline.window.WindowMemory;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.Reservation;

/**
 * Counts what a stage holds, within its own limit and that of all queries. The counts are estimates of the heap taken.
 */
public final class MemoryBudget implements WindowMemory {
    private final String stage;
    private final boolean mayUseDisk;
    private final long bytesMax;
    private final QueryMemory memory;
    private final Reservation reservation;
    private long bytes;

    /** What it holds is released with the reservation. */
    public MemoryBudget(String stage, long bytesMax, QueryMemory memory, Reservation reservation) {
        this.stage = stage;
        this.mayUseDisk = mayUseDisk(bytesMax);
        this.bytesMax = limit(bytesMax, memory);
        this.memory = memory;
        this.reservation = reservation;
    }

    /** What a stage may hold of the limit that its client has chosen: less if the server's settings allow less. */
    public static long limit(long bytesMax, QueryMemory memory) {
        return Math.min(
                bytesMax, (mayUseDisk(bytesMax) ? memory.diskUseBytesMax() : memory.stageBytesMax()).getAsLong());
    }

    private static boolean mayUseDisk(long bytesMax) {
        return bytesMax > Pipeline.MEMORY_BYTES_MAX;
    }

    @Override
    public void charge(long more) {
        bytes += more;
        if (bytes > bytesMax) {
            throw exceeded();
        }
        if (!reservation.tryGrow(more)) {
            throw reservation
                    .part()
                    .refusal(
                            ErrorCode.QueryExceededMemoryLimitNoDiskUseAllowed,
                            "What all queries hold with this " + stage);
        }
    }

    private CommandException exceeded() {
        return mayUseDisk
                ? new CommandException(
                        ErrorCode.QueryExceededMemoryLimitNoDiskUseAllowed,
                        "%s exceeded memory limit of %d bytes set by the parameter %s.",
                        stage,
                        bytesMax,
                        memory.diskUseParameter())
                : new CommandException(
                        ErrorCode.QueryExceededMemoryLimitNoDiskUseAllowed,
                        "%s exceeded memory limit of %d bytes. Pass allowDiskUse:true to opt in to a higher one.",
                        stage,
                        bytesMax);
    }

    void releaseAll() {
        release(bytes);
    }

    @Override
    public void release(long fewer) {
        bytes -= fewer;
        reservation.shrink(fewer);
    }

    public long bytes() {
        return bytes;
    }
}

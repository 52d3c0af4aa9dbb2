package dev.semel.query.pipeline;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;

/** Counts what a stage holds. The counts are estimates of the heap taken, bytes of documents mostly. */
final class MemoryBudget {
    private final String stage;
    private final long bytesMax;
    private long bytes;

    MemoryBudget(String stage, long bytesMax) {
        this.stage = stage;
        this.bytesMax = bytesMax;
    }

    void charge(long more) {
        bytes += more;
        if (bytes > bytesMax) {
            throw new CommandException(
                    ErrorCode.QueryExceededMemoryLimitNoDiskUseAllowed,
                    "%s exceeded memory limit of %d bytes. Pass allowDiskUse:true to opt in to a higher one.",
                    stage,
                    bytesMax);
        }
    }

    void release(long fewer) {
        bytes -= fewer;
    }
}

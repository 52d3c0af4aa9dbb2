package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.memory.Reservation;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the conditions, changes and expressions of one call take as objects, drawn from the memory of all queries. Those of
 * small commands are not counted. Where there is no room, the call waits a moment for others to end.
 */
public final class PartMemory {
    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    private final Call call;
    private final MemoryPart queries;
    private @Nullable Reservation held;

    PartMemory(Call call, MemoryPart queries) {
        this.call = call;
        this.queries = queries;
    }

    /** So many more. By the thread of the call. */
    public void hold(long bytes) {
        Reservation mine = held;
        if (mine == null) {
            mine = queries.open();
            held = mine;
        }
        if (!mine.growIfFree(bytes) && !mine.growWithin(bytes, WAIT_NANOS_MAX, call.interruption()::check)) {
            throw refusal();
        }
    }

    /** What is counted so far. */
    public long bytes() {
        Reservation mine = held;
        return mine == null ? 0 : mine.bytes();
    }

    private CommandException refusal() {
        return queries.refusal(
                ErrorCode.ExceededMemoryLimit, "What all queries hold with the conditions and changes of this command");
    }

    /** At the end of the call. */
    void release() {
        Reservation mine = held;
        if (mine != null) {
            mine.close();
        }
    }
}

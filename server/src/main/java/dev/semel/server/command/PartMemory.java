package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.memory.Reservation;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the conditions, changes and expressions of one call take as objects, and its stack, drawn from the memory of all queries.
 * Those of small commands are not counted. Where there is no room, the call waits a moment for others to end.
 */
public final class PartMemory {
    private static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    private final Call call;
    private final MemoryPart queries;
    private @Nullable Reservation held;
    private @Nullable Reservation stack;

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
            throw refusal("the conditions and changes");
        }
    }

    /** What the stack of the call's thread takes on the heap from now on. By that thread, which does not wait with such a stack. */
    public void holdStack(long bytes) {
        Reservation mine = stack;
        if (mine == null) {
            if (bytes == 0) {
                return;
            }
            mine = queries.open();
            stack = mine;
        }
        if (bytes < mine.bytes()) {
            mine.shrink(mine.bytes() - bytes);
        } else if (!mine.tryGrow(bytes - mine.bytes())) {
            throw refusal("the stack");
        }
    }

    private CommandException refusal(String what) {
        return queries.refusal(
                ErrorCode.ExceededMemoryLimit, "What all queries hold with %s of this command".formatted(what));
    }

    /** What is counted so far of conditions and changes. */
    public long bytes() {
        Reservation mine = held;
        return mine == null ? 0 : mine.bytes();
    }

    /** At the end of the call. */
    void release() {
        close(held);
        close(stack);
    }

    private static void close(@Nullable Reservation mine) {
        if (mine != null) {
            mine.close();
        }
    }
}

package dev.semel.query.script;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.memory.Reservation;

/** What one call of a function has used so far. */
final class Allowance implements AutoCloseable {
    /** What an object, an array or a function takes at least. */
    static final long OBJECT_BYTES = 192;

    /** A property, an element of an array or of a set. */
    static final long ELEMENT_BYTES = 64;

    /** A variable in the frame of a call. */
    static final long VARIABLE_BYTES = 24;

    private static final int CHARS_PER_LIMIT = 16;
    private static final int ELEMENTS_PER_LIMIT = 64;
    private static final long RESERVED_AT_ONCE = 1 << 20;

    private final ScriptLimits limits;
    private final long instructionsMax;
    private final long bytesMax;
    private final Reservation reservation;
    private long instructions;
    private long bytes;
    private long reserved;

    Allowance(ScriptLimits limits, MemoryPart memory) {
        this.limits = limits;
        this.instructionsMax = limits.instructionsMax().getAsLong();
        this.bytesMax = limits.bytesMax().getAsLong();
        this.reservation = memory.open();
    }

    void countInstructions(long more) {
        instructions += more;
        if (instructions > instructionsMax) {
            throw stopped("ran more than %d instructions", instructionsMax);
        }
    }

    void charge(long more) {
        bytes += more;
        if (bytes > bytesMax || bytes < 0) {
            throw stopped("allocated more than %d bytes (%s)", bytesMax, limits.bytesParameter());
        }
        if (bytes > reserved) {
            long step = Math.max(RESERVED_AT_ONCE, bytes - reserved);
            if (!reservation.tryGrow(step)) {
                throw new ScriptStopped(
                        reservation.part().refusal(ErrorCode.ExceededMemoryLimit, "What JavaScript allocates"));
            }
            reserved += step;
        }
    }

    /** The longest string that may be made. */
    long charsMax() {
        return bytesMax / CHARS_PER_LIMIT;
    }

    /** The most elements that one built-in function may look at. */
    long elementsMax() {
        return bytesMax / ELEMENTS_PER_LIMIT;
    }

    void checkChars(long chars) {
        if (chars > charsMax()) {
            throw stopped("made a string of more than %d characters (%s)", charsMax(), limits.bytesParameter());
        }
    }

    void checkElements(long elements) {
        if (elements > elementsMax()) {
            throw stopped(
                    "used a built-in function on more than %d elements (%s)", elementsMax(), limits.bytesParameter());
        }
    }

    private static ScriptStopped stopped(String what, Object... arguments) {
        return new ScriptStopped(
                new CommandException(ErrorCode.JSInterpreterFailure, "JavaScript stopped: it " + what, arguments));
    }

    @Override
    public void close() {
        reservation.close();
    }
}

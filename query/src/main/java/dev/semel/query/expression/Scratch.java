package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.Reservation;
import org.jspecify.annotations.Nullable;

/**
 * What large values take while an expression is evaluated, drawn from the memory of all queries. It is a stack: the
 * evaluation of a part marks how much is held, and leaves what its result takes beyond the mark. Small values are not counted.
 * For one thread.
 */
final class Scratch {
    private static final int SMALL_BYTES = 64 << 10;

    /** An element of an array as a separate value: the object, what it refers to, its place in a list or set. */
    private static final int VALUE_BYTES = 48;

    private final QueryMemory memory;
    private final Runnable checkpoint;

    /** Null while nothing is held, as in nearly all evaluations. */
    private @Nullable Reservation reservation;

    private long held;

    /** What was held when the function began that is being computed. */
    private long base;

    Scratch(QueryMemory memory, Runnable checkpoint) {
        this.memory = memory;
        this.checkpoint = checkpoint;
    }

    /** For what is small for another reason. */
    static Scratch unlimited() {
        return new Scratch(QueryMemory.unlimited(), () -> {});
    }

    /** Throws if whatever is being computed shall end. */
    void checkpoint() {
        checkpoint.run();
    }

    long mark() {
        return held;
    }

    /** From here on the function adds to what is held now; returns the mark to go back to. */
    long begin() {
        long before = base;
        base = held;
        return before;
    }

    void end(long before) {
        base = before;
    }

    /** Nothing is held beyond the mark any more but this. */
    void settle(long mark, @Nullable Value result) {
        settle(mark, bytes(result));
    }

    /** Nothing is held beyond the mark any more but what is being written, which is refused if it becomes too large. */
    void settle(long mark, BsonWriter writer) {
        Sizes.check(writer.length());
        settle(mark, heapBytes(writer));
    }

    private void settle(long mark, long bytes) {
        long wanted = bytes <= SMALL_BYTES ? mark : mark + bytes;
        if (wanted != held) {
            hold(wanted);
        }
    }

    /** What the function writes, beside what it holds already; refused if it becomes too large. */
    void building(BsonWriter writer) {
        Sizes.check(writer.length());
        building(heapBytes(writer));
    }

    /** So many bytes that the function needs at once, beside what it holds already. */
    void building(long bytes) {
        if (bytes > SMALL_BYTES && base + bytes > held) {
            // In steps, as what is built grows in steps too.
            hold(base + bytes + bytes / 2);
        }
    }

    /** So many elements of arrays, as objects, that the function collects. */
    void collecting(int elements) {
        building((long) VALUE_BYTES * elements);
    }

    /** The function goes on to hold what it has while it builds something else. */
    void keep() {
        base = Math.max(base, held);
    }

    /** An array that grows may be half empty, and is there twice for a moment. */
    private static long heapBytes(BsonWriter writer) {
        return 2L * writer.length();
    }

    private static long bytes(@Nullable Value value) {
        return switch (value) {
            case Value.Str(var text) -> text.length();
            case Value.Doc(var document) -> document.length();
            case Value.Array(var elements) -> elements.length();
            case Value.Binary binary -> binary.bytes().length;
            case null, default -> 0;
        };
    }

    private void hold(long wanted) {
        Reservation mine = reservation;
        if (mine == null) {
            mine = memory.all().open();
            reservation = mine;
        }
        if (wanted == 0) {
            mine.close();
        } else if (wanted < held) {
            mine.shrink(held - wanted);
        } else if (!mine.tryGrow(wanted - held)) {
            throw exceeded(mine);
        }
        held = wanted;
    }

    private static CommandException exceeded(Reservation mine) {
        return mine.part().refusal(ErrorCode.ExceededMemoryLimit, "What all queries hold with this expression");
    }
}

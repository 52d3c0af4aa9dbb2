package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.value.Held;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** An aggregate of the values of one expression. */
abstract class OfInput implements Aggregate<OfInput.Taken> {
    private static final long TAKEN_BYTES = 16;

    /** The value, which may be missing. */
    record Taken(@Nullable Value value) {
        boolean isNullish() {
            return Held.isNullish(value);
        }

        /** Null for what is missing. */
        Value present() {
            return value == null ? Value.NULL : value;
        }
    }

    private final Expression input;
    private final Partition partition;

    OfInput(Expression input, Partition partition) {
        this.input = input;
        this.partition = partition;
    }

    WindowMemory memory() {
        return partition.memory();
    }

    ResultArray resultArray() {
        return new ResultArray(partition.environment());
    }

    @Override
    public Taken take(RawDocument document) {
        Value value = Expressions.evaluate(input, partition.environment(), document);
        return new Taken(value == null ? null : Held.copy(value));
    }

    @Override
    public long bytes(Taken taken) {
        return TAKEN_BYTES + (taken.value() == null ? 0 : Held.bytes(taken.value()));
    }

    @Override
    public void remove(Taken oldest, @Nullable Taken next) {
        throw new IllegalStateException("nothing leaves a growing window");
    }
}

package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Arithmetic;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.value.Held;
import dev.semel.query.value.Numbers;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** {@code $locf $linearFill}: values in place of null and missing ones. */
public final class Fills {
    private Fills() {}

    /** The last value that was there. */
    public static WindowFunction locf(Expression input) {
        return partition -> new WindowFunction.Run() {
            private final Kept kept = new Kept(partition);
            private @Nullable Value last = Value.NULL;

            @Override
            public @Nullable Value value(long current) {
                Value value = Expressions.evaluate(input, partition.environment(), partition.document(current));
                if (value != null && !Held.isNullish(value)) {
                    last = kept.copy(value);
                }
                return last;
            }

            @Override
            public long needed() {
                return Long.MAX_VALUE;
            }
        };
    }

    /**
     * Values on the line between those before and after.
     *
     * @param position the field that the documents are sorted by
     */
    public static WindowFunction linear(Expression position, Expression input) {
        return partition -> new Linear(position, input, partition);
    }

    private record Point(Value position, Value value) {}

    private static final class Linear implements WindowFunction.Run {
        private final Expression position;
        private final Expression input;
        private final Partition partition;
        private @Nullable Value lastPosition;
        private @Nullable Point before;

        /** The next document with a value, if {@link #after} has been looked for. */
        private long next;

        private @Nullable Point after;

        Linear(Expression position, Expression input, Partition partition) {
            this.position = position;
            this.input = input;
            this.partition = partition;
        }

        @Override
        public Value value(long current) {
            RawDocument document = partition.document(current);
            Value value = Expressions.evaluate(input, partition.environment(), document);
            if (!Held.isNullish(value) && !Numbers.isNumber(value)) {
                throw new CommandException(
                        ErrorCode.TypeMismatch,
                        "Value to be filled must be numeric or nullish, but found %s",
                        name(value));
            }
            Value at = position(document);
            lastPosition = at;
            if (value != null && !Held.isNullish(value)) {
                before = new Point(at, Held.copy(value));
                return value;
            }
            Point from = before;
            if (from == null) {
                return Value.NULL;
            }
            Point to = after(current);
            return to == null ? Value.NULL : interpolated(from, to, at);
        }

        private Value position(RawDocument document) {
            Value at = Expressions.evaluate(position, partition.environment(), document);
            if (at == null || !(Numbers.isNumber(at) || isTime(at))) {
                throw new CommandException(
                        ErrorCode.TypeMismatch,
                        "Value of the sortBy field must be numeric or a date, but found %s",
                        name(at));
            }
            Value last = lastPosition;
            if (last != null) {
                if (ValueOrder.equal(at, last)) {
                    throw new CommandException(
                            ErrorCode.location(6050106), "There can be no repeated values in the sort field");
                }
                if (Numbers.isNumber(at) != Numbers.isNumber(last)) {
                    throw new CommandException(
                            ErrorCode.TypeMismatch,
                            "Conflicting sort value types, previously received type %s, but found %s",
                            name(last),
                            name(at));
                }
            }
            return Held.copy(at);
        }

        private static boolean isTime(Value value) {
            return value instanceof Value.Date || value instanceof Value.Timestamp || value instanceof Value.Oid;
        }

        private static String name(@Nullable Value value) {
            return value == null ? "missing" : value.type().alias();
        }

        /** The first point behind; looked for once for all the documents before it. */
        private @Nullable Point after(long current) {
            if (next > current) {
                return after;
            }
            for (next = current + 1; partition.has(next); next++) {
                RawDocument document = partition.document(next);
                Value value = Expressions.evaluate(input, partition.environment(), document);
                if (value != null && !Held.isNullish(value)) {
                    Value at = Expressions.evaluate(position, partition.environment(), document);
                    if (at != null && !Held.isNullish(at)) {
                        after = new Point(Held.copy(at), Held.copy(value));
                        return after;
                    }
                }
            }
            after = null;
            return null;
        }

        private static Value interpolated(Point from, Point to, Value at) {
            Value slope = Arithmetic.quotient(
                    Arithmetic.difference(to.value(), from.value()),
                    Arithmetic.difference(to.position(), from.position()));
            return Arithmetic.sum(from.value(), Arithmetic.product(Arithmetic.difference(at, from.position()), slope));
        }

        @Override
        public long needed() {
            return Long.MAX_VALUE;
        }
    }
}

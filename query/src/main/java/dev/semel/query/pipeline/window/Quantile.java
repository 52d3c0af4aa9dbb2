package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Expression;
import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** {@code $percentile $median}: always one of the numbers, and exact; what is no number does not count. */
public final class Quantile {
    private static final int NUMBER_BYTES = 16;
    private static final double MEDIAN = 0.5;

    private Quantile() {}

    public static WindowFunction median(Expression input, Window window) {
        return partition -> new Framed<>(partition, window, new Sorted(input, partition) {
            @Override
            public Value result() {
                return at(MEDIAN);
            }
        });
    }

    public static WindowFunction percentile(Expression input, double[] places, Window window) {
        return partition -> new Framed<>(partition, window, new Sorted(input, partition) {
            @Override
            public Value result() {
                BsonWriter found = new BsonWriter(64);
                for (double place : places) {
                    found.add(at(place));
                }
                return found.finishArray();
            }
        });
    }

    private abstract static class Sorted extends OfInput {
        private final SortedNumbers numbers = new SortedNumbers();

        Sorted(Expression input, Partition partition) {
            super(input, partition);
        }

        @Override
        public void add(Taken taken) {
            Value value = taken.value();
            if (value != null && Numbers.isNumber(value)) {
                memory().charge(NUMBER_BYTES);
                numbers.add(Numbers.doubleOf(value));
            }
        }

        @Override
        public void remove(Taken oldest, @Nullable Taken next) {
            Value value = oldest.value();
            if (value != null && Numbers.isNumber(value)) {
                memory().release(NUMBER_BYTES);
                numbers.remove(Numbers.doubleOf(value));
            }
        }

        /** The smallest number that so large a part of them does not exceed. */
        Value at(double place) {
            long size = numbers.size();
            if (size == 0) {
                return Value.NULL;
            }
            long index = (long) Math.ceil(place * size) - 1;
            return Value.of(numbers.get(Math.clamp(index, 0, size - 1)));
        }
    }
}

package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Arithmetic;
import dev.semel.query.expression.Expression;
import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code $covariancePop $covarianceSamp}: of two numbers in an array; anything else does not count. */
public final class Covariance {
    private Covariance() {}

    public static WindowFunction ofPopulation(Expression input, Window window) {
        return partition -> new Framed<>(partition, window, new Pairs(input, partition, false));
    }

    public static WindowFunction ofSample(Expression input, Window window) {
        return partition -> new Framed<>(partition, window, new Pairs(input, partition, true));
    }

    private record Pair(Value x, Value y) {
        static @Nullable Pair of(@Nullable Value value) {
            if (!(value instanceof Value.Array(RawDocument elements))) {
                return null;
            }
            List<Value> numbers = new ArrayList<>();
            for (ElementCursor at = elements.cursor(); at.next(); ) {
                if (numbers.size() == 2 || !at.type().isNumber()) {
                    return null;
                }
                numbers.add(at.value());
            }
            return numbers.size() == 2 ? new Pair(numbers.get(0), numbers.get(1)) : null;
        }

        boolean isFinite() {
            return isFinite(x) && isFinite(y);
        }

        private static boolean isFinite(Value number) {
            return !Numbers.isNaN(number) && !RemovableSum.isInfinite(number);
        }

        /** What an infinity or NaN among the two makes of the result. */
        Value nonFinite() {
            RemovableSum both = new RemovableSum();
            for (Value each : List.of(x, y)) {
                if (!isFinite(each)) {
                    both.add(each);
                } else if (each instanceof Value.Decimal) {
                    both.add(Numbers.subtract(each, each));
                }
            }
            return both.total();
        }
    }

    private static final class Pairs extends OfInput {
        private final boolean ofSample;
        private RemovableSum xs = new RemovableSum();
        private RemovableSum ys = new RemovableSum();
        private RemovableSum products = new RemovableSum();
        private final RemovableSum nonFinite = new RemovableSum();
        private long count;

        Pairs(Expression input, Partition partition, boolean ofSample) {
            super(input, partition);
            this.ofSample = ofSample;
        }

        @Override
        public boolean canTakeAgain() {
            return true;
        }

        @Override
        public void add(Taken taken) {
            Pair pair = Pair.of(taken.value());
            if (pair == null) {
                return;
            }
            if (!pair.isFinite()) {
                nonFinite.add(pair.nonFinite());
                return;
            }
            count++;
            // The distance from the mean before and after: their product is what the sum of the products grows by.
            Value before = Arithmetic.difference(pair.x(), xs.average());
            xs.add(pair.x());
            ys.add(pair.y());
            products.add(Arithmetic.product(before, Arithmetic.difference(pair.y(), ys.average())));
        }

        @Override
        public void remove(Taken oldest, @Nullable Taken next) {
            Pair pair = Pair.of(oldest.value());
            if (pair == null) {
                return;
            }
            if (!pair.isFinite()) {
                nonFinite.remove(pair.nonFinite());
                return;
            }
            count--;
            if (count == 0) {
                xs = new RemovableSum();
                ys = new RemovableSum();
                products = new RemovableSum();
                return;
            }
            xs.remove(pair.x());
            Value before = Arithmetic.difference(pair.x(), xs.average());
            products.remove(Arithmetic.product(before, Arithmetic.difference(pair.y(), ys.average())));
            ys.remove(pair.y());
        }

        @Override
        public Value result() {
            if (count == 1 && !ofSample) {
                return Value.of(0.0);
            }
            long divisor = ofSample ? count - 1 : count;
            if (divisor <= 0) {
                return Value.NULL;
            }
            Value total = nonFinite.count() > 0 ? nonFinite.total() : products.total();
            return total instanceof Value.Decimal
                    ? Arithmetic.quotient(total, Value.of((double) divisor))
                    : Value.of(Numbers.doubleOf(total) / divisor);
        }
    }
}

package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Deviation;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Sum;
import dev.semel.wire.bson.Value;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code $sum $avg $count $stdDevPop $stdDevSamp}: numbers that are added up. In a growing window they are what $group computes. */
public final class Totals {
    private Totals() {}

    public static WindowFunction sum(Expression input, Window window) {
        return of(
                input,
                window,
                () -> {
                    Sum sum = new Sum();
                    return new Total(sum::add, sum::total);
                },
                () -> {
                    RemovableSum sum = new RemovableSum();
                    return new Total(sum::add, sum::remove, sum::total);
                });
    }

    public static WindowFunction average(Expression input, Window window) {
        return of(
                input,
                window,
                () -> {
                    Sum sum = new Sum();
                    return new Total(sum::add, sum::average);
                },
                () -> {
                    RemovableSum sum = new RemovableSum();
                    return new Total(sum::add, sum::remove, sum::average);
                });
    }

    public static WindowFunction stdDevPop(Expression input, Window window) {
        return of(
                input,
                window,
                () -> {
                    Deviation deviation = new Deviation();
                    return new Total(deviation::add, deviation::ofPopulation);
                },
                () -> {
                    RemovableDeviation deviation = new RemovableDeviation();
                    return new Total(deviation::add, deviation::remove, () -> deviation.result(false));
                });
    }

    public static WindowFunction stdDevSamp(Expression input, Window window) {
        return of(
                input,
                window,
                () -> {
                    Deviation deviation = new Deviation();
                    return new Total(deviation::add, deviation::ofSample);
                },
                () -> {
                    RemovableDeviation deviation = new RemovableDeviation();
                    return new Total(deviation::add, deviation::remove, () -> deviation.result(true));
                });
    }

    public static WindowFunction count(Window window) {
        return partition -> {
            Frame frame = window.frame(partition);
            return new WindowFunction.Run() {
                @Override
                public Value value(long current) {
                    frame.moveTo(current);
                    return RemovableSum.whole(Math.max(0, frame.last() - frame.first() + 1));
                }

                @Override
                public long needed() {
                    return frame.needed();
                }
            };
        };
    }

    private static WindowFunction of(Expression input, Window window, Supplier<Total> growing, Supplier<Total> moving) {
        Supplier<Total> kind = window.isGrowing() ? growing : moving;
        return partition -> new Framed<>(partition, window, new Added(input, partition, kind.get()));
    }

    /** What a window's numbers are added to and taken from. */
    private record Total(Consumer<@Nullable Value> add, Consumer<@Nullable Value> remove, Supplier<Value> result) {
        /** Nothing leaves a growing window. */
        Total(Consumer<@Nullable Value> add, Supplier<Value> result) {
            this(
                    add,
                    value -> {
                        throw new IllegalStateException();
                    },
                    result);
        }
    }

    private static final class Added extends OfInput {
        private final Total total;

        Added(Expression input, Partition partition, Total total) {
            super(input, partition);
            this.total = total;
        }

        @Override
        public boolean canTakeAgain() {
            return true;
        }

        @Override
        public void add(Taken taken) {
            total.add().accept(taken.value());
        }

        @Override
        public void remove(Taken oldest, @Nullable Taken next) {
            total.remove().accept(oldest.value());
        }

        @Override
        public Value result() {
            return total.result().get();
        }
    }
}

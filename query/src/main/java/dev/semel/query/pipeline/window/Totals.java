package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Deviation;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Sum;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** {@code $sum $avg $count $stdDevPop $stdDevSamp}: numbers that are added up. In a growing window they are what $group computes. */
public final class Totals {
    private Totals() {}

    public static WindowFunction sum(Expression input, Window window) {
        return partition -> new Framed<>(
                partition,
                window,
                window.isGrowing() ? new Growing(input, partition, true) : new Moving(input, partition, true));
    }

    public static WindowFunction average(Expression input, Window window) {
        return partition -> new Framed<>(
                partition,
                window,
                window.isGrowing() ? new Growing(input, partition, false) : new Moving(input, partition, false));
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

    public static WindowFunction stdDevPop(Expression input, Window window) {
        return deviation(input, window, false);
    }

    public static WindowFunction stdDevSamp(Expression input, Window window) {
        return deviation(input, window, true);
    }

    private static WindowFunction deviation(Expression input, Window window, boolean ofSample) {
        return partition -> new Framed<>(
                partition,
                window,
                window.isGrowing()
                        ? new GrowingDeviation(input, partition, ofSample)
                        : new MovingDeviation(input, partition, ofSample));
    }

    private static final class Growing extends OfInput {
        private final Sum sum = new Sum();
        private final boolean total;

        Growing(Expression input, Partition partition, boolean total) {
            super(input, partition);
            this.total = total;
        }

        @Override
        public void add(Taken taken) {
            sum.add(taken.value());
        }

        @Override
        public Value result() {
            return total ? sum.total() : sum.average();
        }
    }

    private static final class Moving extends OfInput {
        private final RemovableSum sum = new RemovableSum();
        private final boolean total;

        Moving(Expression input, Partition partition, boolean total) {
            super(input, partition);
            this.total = total;
        }

        @Override
        public void add(Taken taken) {
            sum.add(taken.value());
        }

        @Override
        public void remove(Taken oldest, @Nullable Taken next) {
            sum.remove(oldest.value());
        }

        @Override
        public Value result() {
            return total ? sum.total() : sum.average();
        }
    }

    private static final class GrowingDeviation extends OfInput {
        private final Deviation deviation = new Deviation();
        private final boolean ofSample;

        GrowingDeviation(Expression input, Partition partition, boolean ofSample) {
            super(input, partition);
            this.ofSample = ofSample;
        }

        @Override
        public void add(Taken taken) {
            deviation.add(taken.value());
        }

        @Override
        public Value result() {
            return ofSample ? deviation.ofSample() : deviation.ofPopulation();
        }
    }

    private static final class MovingDeviation extends OfInput {
        private final RemovableDeviation deviation = new RemovableDeviation();
        private final boolean ofSample;

        MovingDeviation(Expression input, Partition partition, boolean ofSample) {
            super(input, partition);
            this.ofSample = ofSample;
        }

        @Override
        public void add(Taken taken) {
            deviation.add(taken.value());
        }

        @Override
        public void remove(Taken oldest, @Nullable Taken next) {
            deviation.remove(oldest.value());
        }

        @Override
        public Value result() {
            return deviation.result(ofSample);
        }
    }
}

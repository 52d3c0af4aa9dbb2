package dev.semel.query.expression;

import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A running standard deviation by Welford's method; what is no number is passed over. */
public final class Deviation {
    private long count;
    private double mean;
    private double squares;

    public void add(@Nullable Value value) {
        if (value == null || !Numbers.isNumber(value)) {
            return;
        }
        double number = Numbers.doubleOf(value);
        count++;
        double distance = number - mean;
        mean += distance / count;
        squares += distance * (number - mean);
    }

    /** For {@link #of}. */
    public Value state() {
        return new BsonWriter(64)
                .add(Value.of(count))
                .add(Value.of(mean))
                .add(Value.of(squares))
                .finishArray();
    }

    /** That of a state. */
    public static Deviation of(Value state) {
        List<Value> parts = Sum.parts(state, 3);
        Deviation deviation = new Deviation();
        deviation.count = (long) Numbers.doubleOf(parts.get(0));
        deviation.mean = Numbers.doubleOf(parts.get(1));
        deviation.squares = Numbers.doubleOf(parts.get(2));
        return deviation;
    }

    /** The numbers of both, as Chan and others have it. */
    public void add(Deviation other) {
        if (other.count == 0) {
            return;
        }
        long all = count + other.count;
        double distance = other.mean - mean;
        squares += other.squares + distance * distance * count * other.count / all;
        mean += distance * other.count / all;
        count = all;
    }

    public Value ofPopulation() {
        return count == 0 ? Value.NULL : root(squares / count);
    }

    public Value ofSample() {
        return count < 2 ? Value.NULL : root(squares / (count - 1));
    }

    private static Value root(double variance) {
        return Double.isFinite(variance) ? Value.of(Math.sqrt(variance)) : Value.NULL;
    }
}

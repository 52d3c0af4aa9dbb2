package dev.semel.query.expression;

import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.Value;
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

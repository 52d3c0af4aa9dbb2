package dev.semel.query.pipeline.window;

import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * A standard deviation from which numbers may be taken out again: the sum, and the sum of the squared distances from the
 * mean, which changes by (n * x - sum)^2 / (n * (n - 1)) with a number x that is the n-th.
 */
final class RemovableDeviation {
    private final RemovableSum sum = new RemovableSum();
    private RemovableSum squares = new RemovableSum();
    private long count;
    private long nonFinite;

    void add(@Nullable Value value) {
        if (value == null || !Numbers.isNumber(value)) {
            return;
        }
        double number = Numbers.doubleOf(value);
        if (!Double.isFinite(number)) {
            nonFinite++;
            return;
        }
        if (count > 0) {
            squares.add(Value.of(change(number, count, count + 1)));
        }
        count++;
        sum.add(Value.of(number));
    }

    void remove(@Nullable Value value) {
        if (value == null || !Numbers.isNumber(value)) {
            return;
        }
        double number = Numbers.doubleOf(value);
        if (!Double.isFinite(number)) {
            nonFinite--;
            return;
        }
        if (count > 1) {
            squares.remove(Value.of(change(number, count, count - 1)));
        } else {
            squares = new RemovableSum();
        }
        count--;
        sum.remove(Value.of(number));
    }

    private double change(double number, long before, long after) {
        double distance = before * number - Numbers.doubleOf(sum.total());
        return distance * distance / ((double) before * after);
    }

    Value result(boolean ofSample) {
        if (nonFinite > 0) {
            return Value.of(Double.NaN);
        }
        long divisor = ofSample ? count - 1 : count;
        if (divisor <= 0) {
            return Value.NULL;
        }
        double total = Numbers.doubleOf(squares.total());
        // What rounding has left may be just below zero. MongoDB's zero is an int here.
        return total < 0 || count == 1 ? Value.of(0) : Value.of(Math.sqrt(total / divisor));
    }
}

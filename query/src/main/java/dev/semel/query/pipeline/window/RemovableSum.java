package dev.semel.query.pipeline.window;

import dev.semel.query.expression.Arithmetic;
import dev.semel.query.expression.Sum;
import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * A sum from which numbers may be taken out again. Infinities and NaN are counted, because nothing can be subtracted from
 * them. The type of the result is that of the numbers that are in at the moment; a whole number is an int if it fits.
 */
final class RemovableSum {
    private final Sum wholes = new Sum();

    /** The doubles that are in; begun anew when none is left, so that no rounding stays behind. */
    private Sum reals = new Sum();

    private Value decimalSum = Value.of(0);
    private long count;
    private long doubles;
    private long decimals;
    private long nans;
    private long positiveInfinities;
    private long negativeInfinities;

    void add(@Nullable Value value) {
        update(value, 1);
    }

    void remove(@Nullable Value value) {
        update(value, -1);
    }

    /** How many numbers are in. */
    long count() {
        return count;
    }

    private void update(@Nullable Value value, int change) {
        if (value == null || !Numbers.isNumber(value)) {
            return;
        }
        count += change;
        switch (value) {
            case Value.Double64 ignored -> doubles += change;
            case Value.Decimal ignored -> decimals += change;
            default -> {}
        }
        if (Numbers.isNaN(value)) {
            nans += change;
        } else if (isInfinite(value)) {
            if (Numbers.doubleOf(value) > 0) {
                positiveInfinities += change;
            } else {
                negativeInfinities += change;
            }
        } else {
            updateFinite(value, change > 0);
        }
        if (doubles == 0) {
            reals = new Sum();
        }
        if (decimals == 0) {
            decimalSum = Value.of(0);
        }
    }

    private void updateFinite(Value value, boolean added) {
        switch (value) {
            case Value.Decimal decimal ->
                decimalSum = added ? Numbers.add(decimalSum, decimal) : Numbers.subtract(decimalSum, decimal);
            case Value.Double64(double real) -> reals.add(added ? value : Value.of(-real));
            default -> {
                if (added) {
                    wholes.add(value);
                } else {
                    wholes.subtract(value);
                }
            }
        }
    }

    static boolean isInfinite(Value number) {
        return switch (number) {
            case Value.Double64(double value) -> Double.isInfinite(value);
            case Value.Decimal(Decimal128 value) -> value.isInfinite();
            default -> false;
        };
    }

    Value total() {
        if (nans > 0 || (positiveInfinities > 0 && negativeInfinities > 0)) {
            return typed(Double.NaN, Decimal128.NAN);
        }
        if (positiveInfinities > 0) {
            return typed(Double.POSITIVE_INFINITY, Decimal128.POSITIVE_INFINITY);
        }
        if (negativeInfinities > 0) {
            return typed(Double.NEGATIVE_INFINITY, Decimal128.NEGATIVE_INFINITY);
        }
        return finite();
    }

    private Value typed(double asDouble, Decimal128 asDecimal) {
        return decimals > 0 ? new Value.Decimal(asDecimal) : Value.of(asDouble);
    }

    private Value finite() {
        Value whole = wholes.total();
        if (decimals > 0) {
            Value sum = Numbers.add(decimalSum, whole);
            return doubles > 0 ? Numbers.add(sum, reals.total()) : sum;
        }
        if (doubles > 0) {
            return Value.of(Numbers.doubleOf(reals.total()) + Numbers.doubleOf(whole));
        }
        return whole instanceof Value.Int64(long number) ? whole(number) : whole;
    }

    static Value whole(long number) {
        return (int) number == number ? Value.of((int) number) : Value.of(number);
    }

    /** Null of no numbers. */
    Value average() {
        if (count == 0) {
            return Value.NULL;
        }
        Value total = total();
        return Numbers.isNaN(total) || isInfinite(total) ? total : Arithmetic.quotient(asReal(total), Value.of(count));
    }

    private static Value asReal(Value number) {
        return number instanceof Value.Decimal ? number : Value.of(Numbers.doubleOf(number));
    }
}

package dev.semel.query.expression;

import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A running sum of numbers of any type; what is no number is passed over. Whole numbers add up exactly, doubles keep what
 * rounding loses in a second double, and a decimal makes the result a decimal. The result is an int as long as all were
 * ints and it fits, a long as long as all were whole and it fits, else a double.
 */
public final class Sum {
    private static final byte DOUBLE = 0x01;
    private static final byte INT32 = 0x10;
    private static final byte INT64 = 0x12;
    private static final byte DECIMAL = 0x13;
    private static final double TWO_TO_63 = 0x1p63;

    private long count;
    private long whole;
    private double high;
    private double low;
    private double plain;
    private boolean hasLong;
    private boolean hasDouble;
    private @Nullable Value decimals;

    /** Adds a value as it stands in a document. */
    public void add(byte type, byte[] bytes, int at) {
        switch (type) {
            case INT32 -> addWhole(LittleEndian.int32(bytes, at));
            case INT64 -> addLong(LittleEndian.int64(bytes, at));
            case DOUBLE -> addDouble(Double.longBitsToDouble(LittleEndian.int64(bytes, at)));
            case DECIMAL ->
                addDecimal(new Decimal128(LittleEndian.int64(bytes, at + 8), LittleEndian.int64(bytes, at)));
            default -> {}
        }
    }

    public void add(@Nullable Value value) {
        switch (value) {
            case Value.Int32(int number) -> addWhole(number);
            case Value.Int64(long number) -> addLong(number);
            case Value.Double64(double number) -> addDouble(number);
            case Value.Decimal(Decimal128 number) -> addDecimal(number);
            case null, default -> {}
        }
    }

    /** Takes an int or a long out again that was added; the sum is right afterwards, an average is not. */
    public void subtract(Value whole) {
        long number = Numbers.saturatedLong(whole);
        // The least of them has no negative.
        addWhole(number == Long.MIN_VALUE ? Long.MAX_VALUE : -number);
        if (number == Long.MIN_VALUE) {
            addWhole(1);
        }
    }

    private void addLong(long number) {
        hasLong = true;
        addWhole(number);
    }

    /** Adds an int; the same as {@link #add} of its value. */
    public void addWhole(long number) {
        count++;
        long sum = whole + number;
        if (((whole ^ sum) & (number ^ sum)) < 0) {
            spill(whole);
            whole = number;
        } else {
            whole = sum;
        }
    }

    private void addDouble(double number) {
        count++;
        hasDouble = true;
        accumulate(number);
    }

    private void addDecimal(Decimal128 number) {
        count++;
        Value decimal = new Value.Decimal(number);
        decimals = decimals == null ? decimal : Numbers.add(decimals, decimal);
    }

    /** A long in two parts that doubles hold exactly. */
    private void spill(long number) {
        long coarse = number & ~0xFFFF_FFFFL;
        accumulate((double) coarse);
        accumulate((double) (number - coarse));
    }

    /** Knuth's sum without loss: high + low is exact. */
    private void accumulate(double number) {
        plain += number;
        double sum = high + number;
        double other = sum - high;
        double error = (high - (sum - other)) + (number - other);
        double total = low + error;
        double renormalized = sum + total;
        low = total - (renormalized - sum);
        high = renormalized;
    }

    /** For {@link #of}. */
    public Value state() {
        Value inexact = decimals;
        return new BsonWriter(128)
                .add(Value.of(count))
                .add(Value.of(whole))
                .add(Value.of(high))
                .add(Value.of(low))
                .add(Value.of(plain))
                .add(Value.of(hasLong))
                .add(Value.of(hasDouble))
                .add(inexact == null ? Value.NULL : inexact)
                .finishArray();
    }

    /** That of a state. */
    public static Sum of(Value state) {
        List<Value> parts = parts(state, 8);
        Sum sum = new Sum();
        sum.count = whole(parts.get(0));
        sum.whole = whole(parts.get(1));
        sum.high = Numbers.doubleOf(parts.get(2));
        sum.low = Numbers.doubleOf(parts.get(3));
        sum.plain = Numbers.doubleOf(parts.get(4));
        sum.hasLong = parts.get(5).equals(Value.of(true));
        sum.hasDouble = parts.get(6).equals(Value.of(true));
        sum.decimals = parts.get(7).equals(Value.NULL) ? null : parts.get(7);
        return sum;
    }

    static List<Value> parts(Value state, int count) {
        List<Value> parts = new ArrayList<>(count);
        if (state instanceof Value.Array(RawDocument elements)) {
            elements.forEach(each -> parts.add(each.value()));
        }
        if (parts.size() != count) {
            throw new IllegalArgumentException("not a state: " + state);
        }
        return parts;
    }

    private static long whole(Value value) {
        return value instanceof Value.Int64(long number) ? number : (long) Numbers.doubleOf(value);
    }

    /** The numbers of both. */
    public void add(Sum other) {
        double sum = plain + other.plain;
        long all = count + other.count;
        accumulate(other.high);
        accumulate(other.low);
        plain = sum;
        addWhole(other.whole);
        count = all;
        hasLong |= other.hasLong;
        hasDouble |= other.hasDouble;
        Value more = other.decimals;
        if (more != null) {
            decimals = decimals == null ? more : Numbers.add(decimals, more);
        }
    }

    public Value total() {
        if (decimals != null) {
            return Numbers.add(decimals, new Value.Decimal(exactRest()));
        }
        if (hasDouble) {
            return Value.of(approximate());
        }
        if (high == 0 && low == 0) {
            return !hasLong && (int) whole == whole ? Value.of((int) whole) : Value.of(whole);
        }
        return wholeBeyondLong();
    }

    private Value wholeBeyondLong() {
        // Both halves are whole numbers, so the exact sum is known even where it does not fit a long at once.
        BigInteger integer = new BigDecimal(high)
                .add(new BigDecimal(low))
                .add(BigDecimal.valueOf(whole))
                .toBigInteger();
        return integer.bitLength() < Long.SIZE ? Value.of(integer.longValue()) : Value.of(integer.doubleValue());
    }

    private double approximate() {
        Sum all = new Sum();
        all.high = high;
        all.low = low;
        all.plain = plain;
        all.spill(whole);
        double sum = all.high + all.low;
        // With an infinity the correction is not a number.
        return Double.isNaN(sum) ? all.plain : sum;
    }

    private Decimal128 exactRest() {
        if (!hasDouble && high == 0 && low == 0) {
            return Decimal128.of(whole);
        }
        double sum = approximate();
        if (!Double.isFinite(sum) || Math.abs(sum) >= TWO_TO_63) {
            return Numbers.decimal(Value.of(sum));
        }
        Decimal128 coarse = Numbers.decimal(Value.of(high));
        Value exact = Numbers.add(new Value.Decimal(coarse), new Value.Decimal(Numbers.decimal(Value.of(low))));
        return Numbers.decimal(Numbers.add(exact, Value.of(whole)));
    }

    /** A double, a decimal if there was one, or null of no numbers. */
    public Value average() {
        if (count == 0) {
            return Value.NULL;
        }
        if (decimals != null) {
            return Numbers.divide(total(), new Value.Decimal(Decimal128.of(count)));
        }
        return Value.of((hasDouble ? approximate() : Numbers.doubleOf(total())) / count);
    }
}

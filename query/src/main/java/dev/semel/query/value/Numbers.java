package dev.semel.query.value;

import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How numbers of different types meet. The wider type wins: int, long, double, decimal. An int sum that does not fit
 * becomes a long; what a long sum does that does not fit is the caller's rule, so {@code addExact} and its like answer
 * null then, and {@link #add} and its like go on as double, as aggregation does.
 */
public final class Numbers {
    private static final double TWO_TO_63 = 0x1p63;
    private static final MathContext DOUBLE_DIGITS = new MathContext(15, RoundingMode.HALF_EVEN);

    private Numbers() {}

    public static boolean isNumber(@Nullable Value value) {
        return value != null && value.type().isNumber();
    }

    public static boolean isNaN(@Nullable Value value) {
        return switch (value) {
            case Value.Double64(double number) -> Double.isNaN(number);
            case Value.Decimal(Decimal128 decimal) -> decimal.isNaN();
            case null, default -> false;
        };
    }

    // ---- comparing

    /** By exact value, whatever the types; NaN is the least number and equal to itself, -0 equals 0. */
    public static int compare(Value a, Value b) {
        if (a instanceof Value.Decimal(Decimal128 decimal)) {
            return b instanceof Value.Decimal(Decimal128 other) ? compare(decimal, other) : -compare(b, decimal);
        }
        if (b instanceof Value.Decimal(Decimal128 decimal)) {
            return compare(a, decimal);
        }
        if (a instanceof Value.Double64(double number)) {
            return b instanceof Value.Double64(double other) ? compare(number, other) : -compare(integer(b), number);
        }
        return b instanceof Value.Double64(double other)
                ? compare(integer(a), other)
                : Long.compare(integer(a), integer(b));
    }

    static int compare(double a, double b) {
        if (a < b) {
            return -1;
        }
        if (a > b) {
            return 1;
        }
        if (a == b) {
            return 0;
        }
        return Boolean.compare(Double.isNaN(b), Double.isNaN(a));
    }

    /** Without rounding the long to a double, which would make neighbours equal above 2^53. */
    static int compare(long a, double b) {
        if (b >= TWO_TO_63) {
            return -1;
        }
        if (b < -TWO_TO_63 || Double.isNaN(b)) {
            return 1;
        }
        long whole = (long) b;
        return a != whole ? Long.compare(a, whole) : Double.compare(0.0, b - whole + 0.0);
    }

    private static int compare(Value a, Decimal128 b) {
        if (a instanceof Value.Double64(double number)) {
            if (!Double.isFinite(number) || !b.isFinite()) {
                return compare(number, b.isFinite() ? 0.0 : b.doubleValue());
            }
            return new BigDecimal(number).compareTo(b.toBigDecimal());
        }
        if (!b.isFinite()) {
            return compare(0.0, b.doubleValue());
        }
        return BigDecimal.valueOf(integer(a)).compareTo(b.toBigDecimal());
    }

    private static int compare(Decimal128 a, Decimal128 b) {
        if (a.isFinite() && b.isFinite()) {
            return a.toBigDecimal().compareTo(b.toBigDecimal());
        }
        return compare(a.isFinite() ? 0.0 : a.doubleValue(), b.isFinite() ? 0.0 : b.doubleValue());
    }

    static int hash(double number) {
        long whole = (long) number;
        if (whole == number && number != TWO_TO_63) {
            return Long.hashCode(whole);
        }
        return Double.hashCode(number);
    }

    static int hash(Decimal128 decimal) {
        double nearest = decimal.doubleValue();
        if (!decimal.isFinite()) {
            return hash(nearest);
        }
        BigDecimal exact = decimal.toBigDecimal();
        if (exact.precision() - exact.scale() <= 19 && isWhole(exact)) {
            BigDecimal whole = exact.setScale(0);
            if (whole.toBigInteger().bitLength() < Long.SIZE) {
                return Long.hashCode(whole.longValue());
            }
        }
        return Double.isFinite(nearest) && new BigDecimal(nearest).compareTo(exact) == 0
                ? hash(nearest)
                : exact.stripTrailingZeros().hashCode();
    }

    // ---- adding and the like

    /** The sum, or null if it is a whole number beyond long. */
    public static @Nullable Value addExact(Value a, Value b) {
        return switch (wider(a, b)) {
            case DECIMAL128 -> new Value.Decimal(Decimals.add(decimal(a), decimal(b)));
            case DOUBLE -> Value.of(doubleOf(a) + doubleOf(b));
            default -> {
                long x = integer(a);
                long y = integer(b);
                long sum = x + y;
                yield ((x ^ sum) & (y ^ sum)) < 0 ? null : whole(sum, wider(a, b));
            }
        };
    }

    /** The difference, or null if it is a whole number beyond long. */
    public static @Nullable Value subtractExact(Value a, Value b) {
        return switch (wider(a, b)) {
            case DECIMAL128 -> new Value.Decimal(Decimals.add(decimal(a), Decimals.negate(decimal(b))));
            case DOUBLE -> Value.of(doubleOf(a) - doubleOf(b));
            default -> {
                long x = integer(a);
                long y = integer(b);
                long difference = x - y;
                yield ((x ^ y) & (x ^ difference)) < 0 ? null : whole(difference, wider(a, b));
            }
        };
    }

    /** The product, or null if it is a whole number beyond long. */
    public static @Nullable Value multiplyExact(Value a, Value b) {
        return switch (wider(a, b)) {
            case DECIMAL128 -> new Value.Decimal(Decimals.multiply(decimal(a), decimal(b)));
            case DOUBLE -> Value.of(doubleOf(a) * doubleOf(b));
            default -> {
                long x = integer(a);
                long y = integer(b);
                long product = x * y;
                boolean fits = Math.multiplyHigh(x, y) == product >> 63;
                yield fits ? whole(product, wider(a, b)) : null;
            }
        };
    }

    public static Value add(Value a, Value b) {
        Value exact = addExact(a, b);
        return exact == null ? Value.of(doubleOf(a) + doubleOf(b)) : exact;
    }

    public static Value subtract(Value a, Value b) {
        Value exact = subtractExact(a, b);
        return exact == null ? Value.of(doubleOf(a) - doubleOf(b)) : exact;
    }

    public static Value multiply(Value a, Value b) {
        Value exact = multiplyExact(a, b);
        return exact == null ? Value.of(doubleOf(a) * doubleOf(b)) : exact;
    }

    /** A double even for two whole numbers, or a decimal. The divisor is not zero, see {@link #isZero}. */
    public static Value divide(Value a, Value b) {
        return wider(a, b) == BsonType.DECIMAL128
                ? new Value.Decimal(Decimals.divide(decimal(a), decimal(b)))
                : Value.of(doubleOf(a) / doubleOf(b));
    }

    /** The remainder, with the sign of the dividend. The divisor is not zero, see {@link #isZero}. */
    public static Value mod(Value a, Value b) {
        return switch (wider(a, b)) {
            case DECIMAL128 -> new Value.Decimal(Decimals.remainder(decimal(a), decimal(b)));
            case DOUBLE -> Value.of(doubleOf(a) % doubleOf(b));
            default -> whole(integer(a) % integer(b), wider(a, b));
        };
    }

    public static boolean isZero(Value number) {
        return number instanceof Value.Decimal(Decimal128 decimal) ? decimal.isZero() : doubleOf(number) == 0;
    }

    /** The type in which an operation on these two numbers is done. */
    public static BsonType wider(Value a, Value b) {
        return rank(a.type()) >= rank(b.type()) ? a.type() : b.type();
    }

    // ---- converting

    /** The number as double, rounded if it must be. */
    public static double doubleOf(Value number) {
        return switch (number) {
            case Value.Double64(double value) -> value;
            case Value.Decimal(Decimal128 value) -> value.doubleValue();
            default -> integer(number);
        };
    }

    /** The number as decimal. A double keeps 15 digits, as MongoDB converts it: 0.1 is not 0.1000000000000000055. */
    public static Decimal128 decimal(Value number) {
        return switch (number) {
            case Value.Decimal(Decimal128 value) -> value;
            case Value.Double64(double value) -> decimal(value);
            default -> Decimal128.of(integer(number));
        };
    }

    /** The number as a long, if it is whole and fits. */
    public static OptionalLong exactLong(@Nullable Value value) {
        return switch (value) {
            case Value.Int32(int number) -> OptionalLong.of(number);
            case Value.Int64(long number) -> OptionalLong.of(number);
            case Value.Double64(double number)
            when (long) number == number && number != TWO_TO_63 -> OptionalLong.of((long) number);
            case Value.Decimal(Decimal128 number)
            when number.isFinite() && isWhole(number.toBigDecimal()) -> {
                long truncated = saturated(number);
                yield BigDecimal.valueOf(truncated).compareTo(number.toBigDecimal()) == 0
                        ? OptionalLong.of(truncated)
                        : OptionalLong.empty();
            }
            case null, default -> OptionalLong.empty();
        };
    }

    /** The number without its fraction; the nearest long if it does not fit; 0 for NaN. */
    public static long saturatedLong(Value number) {
        return switch (number) {
            case Value.Double64(double value) -> (long) value;
            case Value.Decimal(Decimal128 value) -> saturated(value);
            default -> integer(number);
        };
    }

    private static long saturated(Decimal128 decimal) {
        if (!decimal.isFinite()) {
            return (long) decimal.doubleValue();
        }
        BigDecimal exact = decimal.toBigDecimal();
        if (exact.precision() - exact.scale() > 19) {
            return exact.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        var whole = exact.toBigInteger();
        return whole.bitLength() < Long.SIZE ? whole.longValue() : whole.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    private static Decimal128 decimal(double value) {
        if (Double.isNaN(value)) {
            return Decimal128.NAN;
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? Decimal128.POSITIVE_INFINITY : Decimal128.NEGATIVE_INFINITY;
        }
        if (value == 0) {
            return 1 / value < 0 ? Decimal128.NEGATIVE_ZERO : Decimal128.ZERO;
        }
        BigDecimal rounded = new BigDecimal(value).round(DOUBLE_DIGITS);
        return Decimal128.of(rounded.setScale(rounded.scale() + DOUBLE_DIGITS.getPrecision() - rounded.precision()));
    }

    private static boolean isWhole(BigDecimal number) {
        return number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
    }

    private static long integer(Value number) {
        return switch (number) {
            case Value.Int32(int value) -> value;
            case Value.Int64(long value) -> value;
            default -> throw new IllegalArgumentException(number + " is no whole number type");
        };
    }

    private static Value whole(long value, BsonType type) {
        return type == BsonType.INT32 && (int) value == value ? Value.of((int) value) : Value.of(value);
    }

    private static int rank(BsonType type) {
        return switch (type) {
            case INT32 -> 0;
            case INT64 -> 1;
            case DOUBLE -> 2;
            case DECIMAL128 -> 3;
            default -> throw new IllegalArgumentException(type + " is no number");
        };
    }
}

package dev.semel.wire.bson;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * An IEEE 754-2008 decimal of 128 bits as its two halves, as BSON stores it. Record equality is that of the bits: 1.0 and
 * 1.00 differ here, as do 0 and -0.
 */
public record Decimal128(long high, long low) {
    public static final Decimal128 ZERO = new Decimal128(0x3040000000000000L, 0);
    public static final Decimal128 NEGATIVE_ZERO = new Decimal128(0xB040000000000000L, 0);
    public static final Decimal128 NAN = new Decimal128(0x7C00000000000000L, 0);
    public static final Decimal128 POSITIVE_INFINITY = new Decimal128(0x7800000000000000L, 0);
    public static final Decimal128 NEGATIVE_INFINITY = new Decimal128(0xF800000000000000L, 0);

    private static final Decimal128 SMALLEST_ZERO = new Decimal128(0, 0);
    private static final Decimal128 SMALLEST_NEGATIVE_ZERO = new Decimal128(Long.MIN_VALUE, 0);
    private static final int TEXT_LENGTH_MAX = 10_000;
    private static final int DIGITS_MAX = 34;
    private static final int EXPONENT_MAX = 6111;
    private static final int EXPONENT_MIN = -6176;
    private static final Pattern NOTATION = Pattern.compile("[0-9]*+\\.?[0-9]*+(?:[eE][+-]?[0-9]++)?");
    private static final BigInteger COEFFICIENT_MAX =
            BigInteger.TEN.pow(DIGITS_MAX).subtract(BigInteger.ONE);

    /** The nearest decimal, ties to even; what is too large is infinite, what is too small is zero. */
    public static Decimal128 of(BigDecimal value) {
        if (tooSmall(value)) {
            return value.signum() < 0 ? SMALLEST_NEGATIVE_ZERO : SMALLEST_ZERO;
        }
        if (tooLarge(value)) {
            return value.signum() < 0 ? NEGATIVE_INFINITY : POSITIVE_INFINITY;
        }
        BigDecimal rounded = value.round(MathContext.DECIMAL128);
        if (rounded.scale() > -EXPONENT_MIN && rounded.signum() != 0) {
            rounded = value.setScale(-EXPONENT_MIN, RoundingMode.HALF_EVEN);
        }
        return exactly(rounded, value.signum() < 0);
    }

    /** Below half of the smallest decimal; found without scaling, which an absurd exponent would make endless. */
    private static boolean tooSmall(BigDecimal value) {
        return value.signum() != 0 && (long) value.precision() - value.scale() < EXPONENT_MIN;
    }

    /** Beyond the largest decimal; found without rounding, which would carry an absurd exponent out of its range. */
    private static boolean tooLarge(BigDecimal value) {
        return value.signum() != 0 && (long) value.precision() - value.scale() > EXPONENT_MAX + DIGITS_MAX;
    }

    public static Decimal128 of(long value) {
        return value < 0 ? of(BigDecimal.valueOf(value)) : new Decimal128(ZERO.high, value);
    }

    /**
     * Reads what {@link #toString} writes, and any other decimal notation.
     *
     * @throws NumberFormatException if it is no number or has more digits than fit
     */
    public static Decimal128 parse(String text) {
        try {
            return parse(text, false);
        } catch (ArithmeticException e) {
            throw new NumberFormatException("exponent out of range: " + text);
        }
    }

    /**
     * The same, rounded where there are more digits than fit.
     *
     * @throws NumberFormatException if it is no number
     * @throws ArithmeticException "overflow" if it is too large, "underflow" if it is too small for all the digits that fit
     */
    public static Decimal128 nearest(String text) {
        return parse(text, true);
    }

    private static Decimal128 parse(String text, boolean rounds) {
        boolean negative = text.startsWith("-");
        String unsigned = negative || text.startsWith("+") ? text.substring(1) : text;
        switch (unsigned.toLowerCase(Locale.ROOT)) {
            case "nan" -> {
                return NAN;
            }
            case "inf", "infinity" -> {
                return negative ? NEGATIVE_INFINITY : POSITIVE_INFINITY;
            }
            default -> {}
        }
        if (unsigned.length() > TEXT_LENGTH_MAX || !NOTATION.matcher(unsigned).matches()) {
            throw new NumberFormatException("not a decimal: " + abbreviated(text));
        }
        BigDecimal value = new BigDecimal(unsigned);
        if (tooLarge(value)) {
            throw new ArithmeticException("overflow");
        }
        if (negative) {
            value = value.negate();
        }
        BigDecimal rounded = value.round(MathContext.DECIMAL128);
        boolean inexact = rounded.compareTo(value) != 0;
        if (inexact && !rounds) {
            throw new NumberFormatException("more than 34 digits: " + text);
        }
        boolean tiny = rounded.scale() > -EXPONENT_MIN && rounded.signum() != 0;
        if (tooSmall(rounded)
                || (tiny && (inexact || rounded.stripTrailingZeros().scale() > -EXPONENT_MIN))) {
            throw new ArithmeticException("underflow");
        }
        Decimal128 result = exactly(tiny ? rounded.setScale(-EXPONENT_MIN) : rounded, negative);
        if (result.isInfinite()) {
            throw new ArithmeticException("overflow");
        }
        return result;
    }

    private static String abbreviated(String text) {
        return text.length() > 100 ? text.substring(0, 100) + "..." : text;
    }

    private static Decimal128 exactly(BigDecimal value, boolean negative) {
        BigInteger coefficient = value.unscaledValue().abs();
        long exponent = -(long) value.scale();
        if (coefficient.signum() == 0) {
            exponent = Math.max(EXPONENT_MIN, Math.min(EXPONENT_MAX, exponent));
        } else if (exponent > EXPONENT_MAX) {
            long missing = exponent - EXPONENT_MAX;
            coefficient =
                    missing < DIGITS_MAX ? coefficient.multiply(BigInteger.TEN.pow((int) missing)) : COEFFICIENT_MAX;
            if (missing >= DIGITS_MAX || coefficient.compareTo(COEFFICIENT_MAX) > 0) {
                return negative ? NEGATIVE_INFINITY : POSITIVE_INFINITY;
            }
            exponent = EXPONENT_MAX;
        }
        long high = coefficient.shiftRight(64).longValue() | (exponent - EXPONENT_MIN) << 49;
        return new Decimal128(negative ? high | Long.MIN_VALUE : high, coefficient.longValue());
    }

    public boolean isNaN() {
        return (high & 0x7C00000000000000L) == 0x7C00000000000000L;
    }

    public boolean isInfinite() {
        return (high & 0x7C00000000000000L) == 0x7800000000000000L;
    }

    public boolean isFinite() {
        return (high & 0x7800000000000000L) != 0x7800000000000000L;
    }

    public boolean isNegative() {
        return high < 0;
    }

    public boolean isZero() {
        return isFinite() && coefficient().signum() == 0;
    }

    /**
     * The exact number; -0 becomes 0, which is all that BigDecimal knows.
     *
     * @throws ArithmeticException if it is infinite or not a number
     */
    public BigDecimal toBigDecimal() {
        if (!isFinite()) {
            throw new ArithmeticException(this + " is no finite number");
        }
        BigInteger coefficient = coefficient();
        return new BigDecimal(isNegative() ? coefficient.negate() : coefficient, -exponent());
    }

    /** The nearest double. */
    public double doubleValue() {
        if (isNaN()) {
            return Double.NaN;
        }
        if (isInfinite()) {
            return isNegative() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        double magnitude = toBigDecimal().abs().doubleValue();
        return isNegative() ? -magnitude : magnitude;
    }

    private boolean hasLargeForm() {
        return (high & 0x6000000000000000L) == 0x6000000000000000L;
    }

    private int exponent() {
        long biased = hasLargeForm() ? (high >>> 47) & 0x3FFF : (high >>> 49) & 0x3FFF;
        return (int) biased + EXPONENT_MIN;
    }

    /** Encodings of more than 34 digits stand for zero, as the standard says. */
    private BigInteger coefficient() {
        if (hasLargeForm()) {
            return BigInteger.ZERO;
        }
        BigInteger upper = BigInteger.valueOf(high & 0x0001FFFFFFFFFFFFL);
        BigInteger lower = BigInteger.valueOf(low >>> 1).shiftLeft(1).or(BigInteger.valueOf(low & 1));
        BigInteger coefficient = upper.shiftLeft(64).or(lower);
        return coefficient.compareTo(COEFFICIENT_MAX) > 0 ? BigInteger.ZERO : coefficient;
    }

    /** As BSON's decimal128 specification writes it: {@code 1.5}, {@code 1E+3}, {@code -0}, {@code NaN}. */
    @Override
    public String toString() {
        if (isNaN()) {
            return "NaN";
        }
        String sign = isNegative() ? "-" : "";
        return isInfinite() ? sign + "Infinity" : sign + toBigDecimal().abs();
    }
}

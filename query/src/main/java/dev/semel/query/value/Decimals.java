package dev.semel.query.value;

import dev.semel.wire.bson.Decimal128;
import java.math.BigDecimal;
import java.math.MathContext;

/** Arithmetic of decimals: BigDecimal's at 34 digits, and around it the values that BigDecimal lacks. */
final class Decimals {
    private Decimals() {}

    static Decimal128 negate(Decimal128 a) {
        return a.isNaN() ? a : new Decimal128(a.high() ^ Long.MIN_VALUE, a.low());
    }

    static Decimal128 add(Decimal128 a, Decimal128 b) {
        if (!a.isFinite() || !b.isFinite()) {
            return special(direction(a) + direction(b));
        }
        BigDecimal sum = a.toBigDecimal().add(b.toBigDecimal(), MathContext.DECIMAL128);
        return signed(sum, a.isNegative() && b.isNegative());
    }

    static Decimal128 multiply(Decimal128 a, Decimal128 b) {
        if (!a.isFinite() || !b.isFinite()) {
            return special(sign(a) * sign(b));
        }
        BigDecimal product = a.toBigDecimal().multiply(b.toBigDecimal(), MathContext.DECIMAL128);
        return signed(product, a.isNegative() != b.isNegative());
    }

    static Decimal128 divide(Decimal128 a, Decimal128 b) {
        boolean negative = a.isNegative() != b.isNegative();
        if (!a.isFinite() || b.isNaN()) {
            return b.isFinite() ? special(sign(a) * (b.isNegative() ? -1.0 : 1.0)) : Decimal128.NAN;
        }
        if (b.isInfinite()) {
            return negative ? Decimal128.NEGATIVE_ZERO : Decimal128.ZERO;
        }
        if (b.isZero()) {
            return a.isZero() ? Decimal128.NAN : special(negative ? -1.0 / 0.0 : 1.0 / 0.0);
        }
        return signed(a.toBigDecimal().divide(b.toBigDecimal(), MathContext.DECIMAL128), negative);
    }

    static Decimal128 remainder(Decimal128 a, Decimal128 b) {
        if (!a.isFinite() || b.isNaN() || b.isZero()) {
            return Decimal128.NAN;
        }
        return b.isInfinite() ? a : signed(a.toBigDecimal().remainder(b.toBigDecimal()), a.isNegative());
    }

    /** The result, with the sign of zero that BigDecimal forgets. */
    private static Decimal128 signed(BigDecimal result, boolean negativeIfZero) {
        Decimal128 decimal = Decimal128.of(result);
        return negativeIfZero && result.signum() == 0 ? negate(decimal) : decimal;
    }

    private static double direction(Decimal128 a) {
        return a.isFinite() ? 0.0 : a.doubleValue();
    }

    private static double sign(Decimal128 a) {
        if (!a.isFinite()) {
            return a.doubleValue();
        }
        return a.isZero() ? 0.0 : a.isNegative() ? -1.0 : 1.0;
    }

    private static Decimal128 special(double result) {
        if (Double.isNaN(result)) {
            return Decimal128.NAN;
        }
        return result > 0 ? Decimal128.POSITIVE_INFINITY : Decimal128.NEGATIVE_INFINITY;
    }
}

package dev.semel.query.expression;

import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * {@code $exp $ln $log $log10 $pow $sqrt} and the trigonometric functions: a double of every number, except that a decimal
 * gives a decimal.
 */
final class RealFunctions {
    /** Beyond it e to the power is no decimal any more. */
    private static final double EXPONENT_MAX = 14_200;

    private RealFunctions() {}

    /** A function of one number; the decimal is finite when {@code exact} gets it. */
    private static Value apply(
            String name, @Nullable Value argument, DoubleUnaryOperator inexact, UnaryOperator<BigDecimal> exact) {
        return switch (Arithmetic.numeric(name, argument)) {
            case null -> Value.NULL;
            case Value.Decimal(Decimal128 number) -> new Value.Decimal(decimal(number, inexact, exact));
            case Value number -> Value.of(inexact.applyAsDouble(Numbers.doubleOf(number)));
        };
    }

    /** Where there is no finite number the double function knows what the result is. */
    private static Decimal128 decimal(Decimal128 number, DoubleUnaryOperator inexact, UnaryOperator<BigDecimal> exact) {
        if (!number.isFinite()) {
            return Numbers.decimal(Value.of(inexact.applyAsDouble(number.doubleValue())));
        }
        return Decimal128.of(exact.apply(number.toBigDecimal()));
    }

    private static void check(@Nullable Value value, DoublePredicate valid, int code, String message) {
        if (value == null || !Numbers.isNumber(value) || Numbers.isNaN(value)) {
            return;
        }
        if (!valid.test(Numbers.doubleOf(value))) {
            throw Types.wrong(code, message, Types.show(value));
        }
    }

    /** The sign that decides; the double of a tiny decimal is zero though the decimal is not. */
    private static int sign(Value number) {
        return Numbers.compare(number, Value.of(0));
    }

    // ---- exponents and logarithms

    static Value exp(@Nullable Value[] arguments) {
        if (arguments[0] instanceof Value.Decimal(Decimal128 number) && number.isFinite()) {
            BigDecimal exact = number.toBigDecimal();
            if (exact.abs().compareTo(BigDecimal.valueOf(EXPONENT_MAX)) > 0) {
                return new Value.Decimal(exact.signum() > 0 ? Decimal128.POSITIVE_INFINITY : Decimal128.ZERO);
            }
            return new Value.Decimal(Decimal128.of(DecimalMath.exp(exact)));
        }
        return apply("$exp", arguments[0], Math::exp, DecimalMath::exp);
    }

    static Value ln(@Nullable Value[] arguments) {
        requirePositive("$ln", 28766, arguments[0]);
        return logarithm("$ln", arguments[0], Math::log, DecimalMath::ln);
    }

    static Value log10(@Nullable Value[] arguments) {
        requirePositive("$log10", 28761, arguments[0]);
        return logarithm("$log10", arguments[0], Math::log10, DecimalMath::log10);
    }

    private static Value logarithm(
            String name, @Nullable Value value, DoubleUnaryOperator inexact, UnaryOperator<BigDecimal> exact) {
        return value instanceof Value.Decimal(Decimal128 number) && number.isFinite()
                ? new Value.Decimal(Decimal128.of(exact.apply(number.toBigDecimal())))
                : apply(name, value, inexact, exact);
    }

    private static void requirePositive(String name, int code, @Nullable Value value) {
        Value number = Arithmetic.numeric(name, value);
        if (number != null && !Numbers.isNaN(number) && sign(number) <= 0) {
            throw Types.wrong(code, "%s's argument must be a positive number, but is %s", name, Types.show(number));
        }
    }

    static Value log(@Nullable Value[] arguments) {
        if (Types.anyNullish(arguments)) {
            return Value.NULL;
        }
        Value number = number(28756, "$log's argument must be numeric, not %s", arguments[0]);
        Value base = number(28757, "$log's base must be numeric, not %s", arguments[1]);
        if (!Numbers.isNaN(number) && sign(number) <= 0) {
            throw Types.wrong(28758, "$log's argument must be a positive number, but is %s", Types.show(number));
        }
        if (!Numbers.isNaN(base) && (sign(base) <= 0 || Numbers.compare(base, Value.of(1)) == 0)) {
            throw Types.wrong(
                    28759, "$log's base must be a positive number not equal to 1, but is %s", Types.show(base));
        }
        if (Numbers.wider(number, base) != BsonType.DECIMAL128) {
            return Value.of(Math.log(Numbers.doubleOf(number)) / Math.log(Numbers.doubleOf(base)));
        }
        Decimal128 x = Numbers.decimal(number);
        Decimal128 b = Numbers.decimal(base);
        return new Value.Decimal(
                x.isFinite() && b.isFinite()
                        ? Decimal128.of(DecimalMath.log(x.toBigDecimal(), b.toBigDecimal()))
                        : Numbers.decimal(Value.of(Math.log(x.doubleValue()) / Math.log(b.doubleValue()))));
    }

    private static Value number(int code, String message, @Nullable Value value) {
        if (value == null || !Numbers.isNumber(value)) {
            throw Types.wrong(code, message, Types.name(value));
        }
        return value;
    }

    static Value sqrt(@Nullable Value[] arguments) {
        Value number = Arithmetic.numeric("$sqrt", arguments[0]);
        if (number != null && !Numbers.isNaN(number) && sign(number) < 0) {
            throw Types.wrong(28714, "$sqrt's argument must be greater than or equal to 0");
        }
        return apply("$sqrt", number, Math::sqrt, DecimalMath::sqrt);
    }

    // ---- $pow

    static Value pow(@Nullable Value[] arguments) {
        if (Types.anyNullish(arguments)) {
            return Value.NULL;
        }
        Value base = number(28762, "$pow's base must be numeric, not %s", arguments[0]);
        Value exponent = number(28763, "$pow's exponent must be numeric, not %s", arguments[1]);
        if (Numbers.isZero(base) && !Numbers.isNaN(exponent) && sign(exponent) < 0) {
            throw Types.wrong(28764, "$pow cannot take a base of 0 and a negative exponent");
        }
        return switch (Numbers.wider(base, exponent)) {
            case DECIMAL128 -> new Value.Decimal(pow(Numbers.decimal(base), Numbers.decimal(exponent)));
            case DOUBLE -> Value.of(Math.pow(Numbers.doubleOf(base), Numbers.doubleOf(exponent)));
            default -> wholePower(base, exponent);
        };
    }

    private static Value wholePower(Value base, Value exponent) {
        long b = Numbers.saturatedLong(base);
        long e = Numbers.saturatedLong(exponent);
        boolean wide = Numbers.wider(base, exponent) == BsonType.INT64;
        if (b == 0 || b == 1) {
            return whole(e == 0 ? 1 : b, wide);
        }
        if (b == -1) {
            return whole(e % 2 == 0 ? 1 : -1, wide);
        }
        if (e >= 0 && e < Long.SIZE) {
            BigInteger power = BigInteger.valueOf(b).pow((int) e);
            if (power.bitLength() < Long.SIZE) {
                return whole(power.longValue(), wide);
            }
        }
        return Value.of(Math.pow((double) b, (double) e));
    }

    private static Value whole(long number, boolean wide) {
        return !wide && (int) number == number ? Value.of((int) number) : Value.of(number);
    }

    private static Decimal128 pow(Decimal128 base, Decimal128 exponent) {
        double nearest = Math.pow(base.doubleValue(), exponent.doubleValue());
        if (!base.isFinite() || !exponent.isFinite() || base.isZero() || exponent.isZero()) {
            return Numbers.decimal(Value.of(nearest));
        }
        BigDecimal b = base.toBigDecimal();
        BigDecimal e = exponent.toBigDecimal();
        boolean whole = e.stripTrailingZeros().scale() <= 0;
        if (b.signum() < 0 && !whole) {
            return Decimal128.NAN;
        }
        if (whole && e.abs().compareTo(BigDecimal.valueOf(999)) <= 0) {
            return DecimalMath.power(b, e.intValueExact());
        }
        boolean negative = b.signum() < 0 && e.toBigInteger().testBit(0);
        BigDecimal logarithm = DecimalMath.ln(b.abs()).multiply(e);
        if (logarithm.abs().compareTo(BigDecimal.valueOf(EXPONENT_MAX)) > 0) {
            if (logarithm.signum() < 0) {
                return negative ? Decimal128.NEGATIVE_ZERO : Decimal128.ZERO;
            }
            return negative ? Decimal128.NEGATIVE_INFINITY : Decimal128.POSITIVE_INFINITY;
        }
        BigDecimal power = DecimalMath.exp(logarithm);
        return Decimal128.of(negative ? power.negate() : power);
    }

    // ---- angles

    static Value sin(@Nullable Value[] arguments) {
        return circular("$sin", arguments[0], Math::sin, DecimalMath::sin);
    }

    static Value cos(@Nullable Value[] arguments) {
        return circular("$cos", arguments[0], Math::cos, DecimalMath::cos);
    }

    static Value tan(@Nullable Value[] arguments) {
        return circular("$tan", arguments[0], Math::tan, DecimalMath::tan);
    }

    private static Value circular(
            String name, @Nullable Value value, DoubleUnaryOperator inexact, UnaryOperator<BigDecimal> exact) {
        if (value instanceof Value.Decimal(Decimal128 number) && number.isInfinite()) {
            throw outside(name, value, "(-inf,inf)");
        }
        check(
                value,
                number -> !Double.isInfinite(number) || value instanceof Value.Decimal,
                50989,
                "cannot apply " + name + " to %s, value must be in (-inf,inf)");
        return apply(name, value, inexact, exact);
    }

    private static CommandException outside(String name, Value value, String range) {
        return Types.wrong(50989, "cannot apply %s to %s, value must be in %s", name, Types.show(value), range);
    }

    static Value asin(@Nullable Value[] arguments) {
        return within("$asin", arguments[0], -1, 1, "[-1,1]", Math::asin, DecimalMath::asin);
    }

    static Value acos(@Nullable Value[] arguments) {
        return within("$acos", arguments[0], -1, 1, "[-1,1]", Math::acos, DecimalMath::acos);
    }

    static Value atan(@Nullable Value[] arguments) {
        return apply("$atan", arguments[0], Math::atan, DecimalMath::atan);
    }

    static Value atan2(@Nullable Value[] arguments) {
        if (Types.anyNullish(arguments)) {
            return Value.NULL;
        }
        Value y = arguments[0];
        Value x = arguments[1];
        if (y == null || x == null || !Numbers.isNumber(y) || !Numbers.isNumber(x)) {
            throw Types.wrong(51044, "$atan2 only supports numeric types, not %s and %s", Types.name(y), Types.name(x));
        }
        if (Numbers.wider(y, x) != BsonType.DECIMAL128) {
            return Value.of(Math.atan2(Numbers.doubleOf(y), Numbers.doubleOf(x)));
        }
        Decimal128 a = Numbers.decimal(y);
        Decimal128 b = Numbers.decimal(x);
        if (!a.isFinite() || !b.isFinite() || a.isZero() || b.isZero()) {
            return new Value.Decimal(Numbers.decimal(Value.of(Math.atan2(a.doubleValue(), b.doubleValue()))));
        }
        return new Value.Decimal(Decimal128.of(DecimalMath.atan2(a.toBigDecimal(), b.toBigDecimal())));
    }

    private static Value within(
            String name,
            @Nullable Value value,
            int least,
            int most,
            String range,
            DoubleUnaryOperator inexact,
            UnaryOperator<BigDecimal> exact) {
        Value number = Arithmetic.numeric(name, value);
        if (number != null
                && !Numbers.isNaN(number)
                && (Numbers.compare(number, Value.of(least)) < 0 || Numbers.compare(number, Value.of(most)) > 0)) {
            throw outside(name, number, range);
        }
        return apply(name, number, inexact, exact);
    }

    // ---- hyperbolic functions

    static Value sinh(@Nullable Value[] arguments) {
        return bounded("$sinh", arguments[0], Math::sinh, DecimalMath::sinh);
    }

    static Value cosh(@Nullable Value[] arguments) {
        return bounded("$cosh", arguments[0], Math::cosh, DecimalMath::cosh);
    }

    private static Value bounded(
            String name, @Nullable Value value, DoubleUnaryOperator inexact, UnaryOperator<BigDecimal> exact) {
        if (value instanceof Value.Decimal(Decimal128 number)
                && number.isFinite()
                && number.toBigDecimal().abs().compareTo(BigDecimal.valueOf(EXPONENT_MAX)) > 0) {
            return new Value.Decimal(
                    Numbers.decimal(Value.of(inexact.applyAsDouble(number.isNegative() ? -1e6 : 1e6))));
        }
        return apply(name, value, inexact, exact);
    }

    static Value tanh(@Nullable Value[] arguments) {
        return apply("$tanh", arguments[0], Math::tanh, DecimalMath::tanh);
    }

    static Value asinh(@Nullable Value[] arguments) {
        return apply(
                "$asinh",
                arguments[0],
                x -> Double.isInfinite(x) ? x : Math.copySign(Math.log(Math.abs(x) + Math.hypot(x, 1)), x),
                DecimalMath::asinh);
    }

    static Value acosh(@Nullable Value[] arguments) {
        Value number = Arithmetic.numeric("$acosh", arguments[0]);
        if (number != null && !Numbers.isNaN(number) && Numbers.compare(number, Value.of(1)) < 0) {
            throw outside("$acosh", number, "[1,inf]");
        }
        return apply(
                "$acosh",
                number,
                x -> x > 1e150 ? Math.log(x) + Math.log(2) : Math.log(x + Math.sqrt(x * x - 1)),
                DecimalMath::acosh);
    }

    static Value atanh(@Nullable Value[] arguments) {
        if (arguments[0] instanceof Value.Decimal(Decimal128 number)
                && number.isFinite()
                && number.toBigDecimal().abs().compareTo(BigDecimal.ONE) == 0) {
            return new Value.Decimal(number.isNegative() ? Decimal128.NEGATIVE_INFINITY : Decimal128.POSITIVE_INFINITY);
        }
        return within(
                "$atanh",
                arguments[0],
                -1,
                1,
                "[-1,1]",
                x -> Math.abs(x) < 1e-5 ? x + x * x * x / 3 : (Math.log1p(x) - Math.log1p(-x)) / 2,
                DecimalMath::atanh);
    }

    static Value toRadians(@Nullable Value[] arguments) {
        return apply("$degreesToRadians", arguments[0], Math::toRadians, DecimalMath::toRadians);
    }

    static Value toDegrees(@Nullable Value[] arguments) {
        return apply("$radiansToDegrees", arguments[0], Math::toDegrees, DecimalMath::toDegrees);
    }
}

package dev.semel.query.expression;

import dev.semel.wire.bson.Decimal128;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * The elementary functions on decimals, precise enough that rounding to a decimal's 34 digits is all that is lost. Each
 * brings its argument into a small range, where the power series converges quickly.
 */
final class DecimalMath {
    /** Working precision: 34 digits of result, and room for what the reductions cost. */
    private static final MathContext WORK = new MathContext(50, RoundingMode.HALF_EVEN);

    private static final BigDecimal ONE = BigDecimal.ONE;
    private static final BigDecimal TWO = BigDecimal.TWO;
    private static final int SIGNIFICANT_DIGITS = 52;

    static final BigDecimal PI = pi(60);
    private static final BigDecimal HALF_PI = PI.divide(TWO, WORK);
    private static final BigDecimal STRAIGHT_ANGLE = BigDecimal.valueOf(180);
    private static final BigDecimal LN_10 = lnNearOne(BigDecimal.TEN);

    private DecimalMath() {}

    /** Enough digits of pi to reduce the largest decimal; computed when the first such argument comes. */
    private static final class LongPi {
        static final BigDecimal VALUE = pi(6_300);
    }

    // ---- exponential and logarithm

    /** Beyond 6144 the result does not fit a decimal; the caller sees to that. */
    static BigDecimal exp(BigDecimal x) {
        int tens = x.divide(LN_10, WORK).setScale(0, RoundingMode.HALF_EVEN).intValueExact();
        BigDecimal rest = x.subtract(LN_10.multiply(BigDecimal.valueOf(tens)), WORK);
        BigDecimal small = rest.divide(BigDecimal.valueOf(256), WORK);
        BigDecimal sum = ONE;
        BigDecimal term = ONE;
        for (int n = 1; isSignificant(term, sum); n++) {
            term = term.multiply(small).divide(BigDecimal.valueOf(n), WORK);
            sum = sum.add(term, WORK);
        }
        return sum.pow(256, WORK).scaleByPowerOfTen(tens);
    }

    static BigDecimal ln(BigDecimal x) {
        int tens = x.precision() - x.scale() - 1;
        BigDecimal mantissa = x.scaleByPowerOfTen(-tens);
        // Nearer to one, so that numbers just below a power of ten keep their digits.
        if (mantissa.compareTo(BigDecimal.valueOf(4)) > 0) {
            mantissa = mantissa.scaleByPowerOfTen(-1);
            tens++;
        }
        BigDecimal ln = lnNearOne(mantissa);
        return tens == 0 ? ln : ln.add(LN_10.multiply(BigDecimal.valueOf(tens)), WORK);
    }

    /** Through ln x = 2 artanh((x - 1) / (x + 1)), after two square roots. */
    private static BigDecimal lnNearOne(BigDecimal x) {
        BigDecimal root = x;
        int factor = 2;
        if (x.subtract(ONE).abs().compareTo(new BigDecimal("0.1")) > 0) {
            root = x.sqrt(WORK).sqrt(WORK);
            factor = 8;
        }
        BigDecimal ratio = root.subtract(ONE).divide(root.add(ONE), WORK);
        return oddSeries(ratio, ratio.multiply(ratio, WORK)).multiply(BigDecimal.valueOf(factor), WORK);
    }

    static BigDecimal log10(BigDecimal x) {
        BigDecimal stripped = x.stripTrailingZeros();
        return stripped.unscaledValue().equals(ONE.unscaledValue())
                ? BigDecimal.valueOf(-stripped.scale())
                : ln(x).divide(LN_10, WORK);
    }

    static BigDecimal log(BigDecimal x, BigDecimal base) {
        return ln(x).divide(ln(base), WORK);
    }

    /** By multiplication; the exponent is small, so that the digits the multiplications cost are there to be lost. */
    static Decimal128 power(BigDecimal base, int exponent) {
        BigDecimal power = base.pow(Math.abs(exponent), WORK);
        return Decimal128.of(exponent < 0 ? ONE.divide(power, WORK) : power);
    }

    static BigDecimal sqrt(BigDecimal x) {
        return x.sqrt(MathContext.DECIMAL128);
    }

    // ---- trigonometry

    static BigDecimal sin(BigDecimal x) {
        BigDecimal reduced = reduced(x);
        return alternatingSeries(reduced, reduced, 2);
    }

    static BigDecimal cos(BigDecimal x) {
        return alternatingSeries(reduced(x), ONE, 1);
    }

    static BigDecimal tan(BigDecimal x) {
        return sin(x).divide(cos(x), WORK);
    }

    /** The same angle between -pi and pi. */
    private static BigDecimal reduced(BigDecimal x) {
        if (x.abs().compareTo(PI) <= 0) {
            return x;
        }
        int digits = x.precision() - x.scale();
        BigDecimal circle = (digits < 10 ? PI : LongPi.VALUE).multiply(TWO);
        BigDecimal turns = x.divide(circle, 0, RoundingMode.HALF_EVEN);
        return x.subtract(turns.multiply(circle)).round(WORK);
    }

    /** first - first x² / (n (n+1)) + ..., which is the sine for n = 2 and the cosine for n = 1. */
    private static BigDecimal alternatingSeries(BigDecimal x, BigDecimal first, int n) {
        BigDecimal square = x.multiply(x, WORK);
        BigDecimal sum = first;
        BigDecimal term = first;
        for (int k = n; isSignificant(term, sum); k += 2) {
            term = term.multiply(square)
                    .divide(BigDecimal.valueOf((long) k * (k + 1)), WORK)
                    .negate();
            sum = sum.add(term, WORK);
        }
        return sum;
    }

    static BigDecimal atan(BigDecimal x) {
        if (x.signum() < 0) {
            return atan(x.negate()).negate();
        }
        if (x.compareTo(ONE) > 0) {
            return HALF_PI.subtract(atan(ONE.divide(x, WORK)), WORK);
        }
        BigDecimal small = halved(halved(halved(x)));
        return oddSeries(small, small.multiply(small, WORK).negate()).multiply(BigDecimal.valueOf(8), WORK);
    }

    /** The tangent of half the angle. */
    private static BigDecimal halved(BigDecimal tangent) {
        BigDecimal hypotenuse = ONE.add(tangent.multiply(tangent, WORK), WORK).sqrt(WORK);
        return tangent.divide(ONE.add(hypotenuse), WORK);
    }

    /** x + x·s/3 + x·s²/5 + ... */
    private static BigDecimal oddSeries(BigDecimal x, BigDecimal square) {
        BigDecimal sum = x;
        BigDecimal power = x;
        BigDecimal term = x;
        for (int n = 3; isSignificant(term, sum); n += 2) {
            power = power.multiply(square, WORK);
            term = power.divide(BigDecimal.valueOf(n), WORK);
            sum = sum.add(term, WORK);
        }
        return sum;
    }

    static BigDecimal asin(BigDecimal x) {
        BigDecimal cosine = ONE.subtract(x.multiply(x)).sqrt(WORK);
        return cosine.signum() == 0 ? HALF_PI.multiply(x) : atan(x.divide(cosine, WORK));
    }

    static BigDecimal acos(BigDecimal x) {
        if (x.signum() == 0) {
            return HALF_PI;
        }
        BigDecimal sine = ONE.subtract(x.multiply(x)).sqrt(WORK);
        BigDecimal angle = atan(sine.divide(x, WORK));
        return x.signum() < 0 ? angle.add(PI, WORK) : angle;
    }

    static BigDecimal atan2(BigDecimal y, BigDecimal x) {
        BigDecimal angle = atan(y.divide(x, WORK));
        if (x.signum() > 0) {
            return angle;
        }
        return y.signum() < 0 ? angle.subtract(PI, WORK) : angle.add(PI, WORK);
    }

    static BigDecimal toRadians(BigDecimal degrees) {
        return degrees.multiply(PI, WORK).divide(STRAIGHT_ANGLE, WORK);
    }

    static BigDecimal toDegrees(BigDecimal radians) {
        return radians.multiply(STRAIGHT_ANGLE).divide(PI, WORK);
    }

    // ---- hyperbola

    static BigDecimal sinh(BigDecimal x) {
        if (x.abs().compareTo(ONE) < 0) {
            return growingSeries(x);
        }
        BigDecimal exp = exp(x);
        return exp.subtract(ONE.divide(exp, WORK), WORK).divide(TWO, WORK);
    }

    /** x + x³/3! + x⁵/5! + ...: the sine of the hyperbola near zero, where the difference of exponentials loses digits. */
    private static BigDecimal growingSeries(BigDecimal x) {
        BigDecimal square = x.multiply(x, WORK);
        BigDecimal sum = x;
        BigDecimal term = x;
        for (int k = 2; isSignificant(term, sum); k += 2) {
            term = term.multiply(square).divide(BigDecimal.valueOf((long) k * (k + 1)), WORK);
            sum = sum.add(term, WORK);
        }
        return sum;
    }

    static BigDecimal cosh(BigDecimal x) {
        BigDecimal exp = exp(x);
        return exp.add(ONE.divide(exp, WORK), WORK).divide(TWO, WORK);
    }

    static BigDecimal tanh(BigDecimal x) {
        // From here on the difference from one is smaller than a decimal can represent.
        if (x.abs().compareTo(BigDecimal.valueOf(60)) > 0) {
            return BigDecimal.valueOf(x.signum());
        }
        return sinh(x).divide(cosh(x), WORK);
    }

    static BigDecimal asinh(BigDecimal x) {
        if (x.signum() < 0) {
            return asinh(x.negate()).negate();
        }
        if (x.compareTo(new BigDecimal("1E-9")) < 0) {
            // x - x³/6 + 3x⁵/40 - 15x⁷/336: the rest is below the digits that count.
            BigDecimal square = x.multiply(x, WORK);
            BigDecimal series = ONE.subtract(square.divide(BigDecimal.valueOf(6), WORK), WORK)
                    .add(square.multiply(square, WORK).multiply(new BigDecimal("0.075")), WORK);
            return x.multiply(series, WORK);
        }
        return ln(x.add(ONE.add(x.multiply(x, WORK), WORK).sqrt(WORK), WORK));
    }

    static BigDecimal acosh(BigDecimal x) {
        return ln(x.add(x.multiply(x).subtract(ONE).sqrt(WORK), WORK));
    }

    static BigDecimal atanh(BigDecimal x) {
        if (x.abs().compareTo(new BigDecimal("0.1")) < 0) {
            return oddSeries(x, x.multiply(x, WORK));
        }
        return ln(ONE.add(x).divide(ONE.subtract(x), WORK)).divide(TWO, WORK);
    }

    // ---- the constant

    /** Machin's formula: pi = 16 arctan(1/5) - 4 arctan(1/239). */
    private static BigDecimal pi(int digits) {
        int scale = digits + 5;
        return inverseTangent(5, scale)
                .multiply(BigDecimal.valueOf(16))
                .subtract(inverseTangent(239, scale).multiply(BigDecimal.valueOf(4)))
                .setScale(digits, RoundingMode.HALF_EVEN);
    }

    private static BigDecimal inverseTangent(int denominator, int scale) {
        BigDecimal square = BigDecimal.valueOf((long) denominator * denominator);
        BigDecimal power = ONE.divide(BigDecimal.valueOf(denominator), scale, RoundingMode.DOWN);
        BigDecimal sum = power;
        for (int n = 3; power.signum() != 0; n += 2) {
            power = power.divide(square, scale, RoundingMode.DOWN).negate();
            sum = sum.add(power.divide(BigDecimal.valueOf(n), scale, RoundingMode.DOWN));
        }
        return sum;
    }

    private static boolean isSignificant(BigDecimal term, BigDecimal sum) {
        if (term.signum() == 0) {
            return false;
        }
        long termMagnitude = (long) term.precision() - term.scale();
        long sumMagnitude = (long) sum.precision() - sum.scale();
        return sum.signum() == 0 || termMagnitude > sumMagnitude - SIGNIFICANT_DIGITS;
    }
}

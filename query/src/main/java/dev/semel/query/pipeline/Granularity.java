package dev.semel.query.pipeline;

import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The boundaries that {@code $bucketAuto} may choose with a {@code granularity}: preferred numbers and their multiples with
 * powers of ten, or the powers of two.
 */
sealed interface Granularity {
    /** The least boundary above a number that is not negative; zero for zero. */
    Value roundUp(Value number);

    /** The greatest boundary below it. */
    Value roundDown(Value number);

    /** By its name. */
    static Granularity named(String name) {
        if (name.equals("POWERSOF2")) {
            return new PowersOfTwo();
        }
        int[] series = Series.BY_NAME.get(name);
        if (series == null) {
            throw new CommandException(ErrorCode.location(40257), "Unknown rounding granularity '%s'", name);
        }
        return new PreferredNumbers(series);
    }

    /** What documents may be grouped by under a granularity. */
    static void check(@Nullable Value key) {
        if (key == null || !Numbers.isNumber(key)) {
            throw new CommandException(
                    ErrorCode.location(40258),
                    "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a value with type:"
                            + " %s",
                    key == null ? "missing" : key.type().alias());
        }
        if (Numbers.isNaN(key)) {
            throw new CommandException(
                    ErrorCode.location(40259),
                    "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a NaN");
        }
        if (Numbers.doubleOf(key) < 0) {
            throw new CommandException(
                    ErrorCode.location(40260),
                    "$bucketAuto can specify a 'granularity' with non-negative numbers only, but found a negative"
                            + " number");
        }
    }

    private static boolean isEndless(Value number) {
        return Double.isInfinite(Numbers.doubleOf(number));
    }

    /** A series within one or two decades, of which every decade has the multiples. */
    record PreferredNumbers(int[] series) implements Granularity {
        @Override
        public Value roundUp(Value number) {
            if (Numbers.isZero(number) || isEndless(number)) {
                return number;
            }
            return number instanceof Value.Decimal(Decimal128 decimal)
                    ? new Value.Decimal(up(decimal))
                    : Value.of(up(Numbers.doubleOf(number)));
        }

        @Override
        public Value roundDown(Value number) {
            if (Numbers.isZero(number) || isEndless(number)) {
                return number;
            }
            return number instanceof Value.Decimal(Decimal128 decimal)
                    ? new Value.Decimal(down(decimal))
                    : Value.of(down(Numbers.doubleOf(number)));
        }

        private int first() {
            return series[0];
        }

        private int last() {
            return series[series.length - 1];
        }

        private double up(double number) {
            double multiplier = 1;
            while (number >= last() * multiplier) {
                multiplier *= 10;
            }
            while (number < first() * multiplier) {
                double lowest = first() * multiplier;
                multiplier /= 10;
                if (number >= last() * multiplier) {
                    return lowest;
                }
            }
            double factor = multiplier;
            return IntStream.of(series)
                    .mapToDouble(each -> each * factor)
                    .filter(each -> number < each)
                    .findFirst()
                    .orElseThrow();
        }

        private double down(double number) {
            double multiplier = 1;
            while (number <= first() * multiplier) {
                multiplier /= 10;
            }
            while (number > last() * multiplier) {
                double greatest = last() * multiplier;
                multiplier *= 10;
                if (number <= first() * multiplier) {
                    return greatest;
                }
            }
            double factor = multiplier;
            return IntStream.of(series)
                    .mapToDouble(each -> each * factor)
                    .filter(each -> each < number)
                    .max()
                    .orElseThrow();
        }

        private Decimal128 up(Decimal128 decimal) {
            BigDecimal number = decimal.toBigDecimal();
            int scale = scale(number);
            // The least of this decade that is greater, else the first of the next one.
            for (int each : series) {
                BigDecimal boundary = BigDecimal.valueOf(each).scaleByPowerOfTen(scale);
                if (number.compareTo(boundary) < 0) {
                    return Decimal128.of(boundary);
                }
            }
            return Decimal128.of(BigDecimal.valueOf(first()).scaleByPowerOfTen(scale + 1));
        }

        private Decimal128 down(Decimal128 decimal) {
            BigDecimal number = decimal.toBigDecimal();
            int scale = scale(number);
            for (int i = series.length - 1; i >= 0; i--) {
                BigDecimal boundary = BigDecimal.valueOf(series[i]).scaleByPowerOfTen(scale);
                if (boundary.compareTo(number) < 0) {
                    return Decimal128.of(boundary);
                }
            }
            return Decimal128.of(BigDecimal.valueOf(last()).scaleByPowerOfTen(scale - 1));
        }

        /** The power of ten with which the first number of the series is not greater, and the tenfold of it is. */
        private int scale(BigDecimal number) {
            int scale = number.precision()
                    - number.scale()
                    - String.valueOf(first()).length();
            return number.compareTo(BigDecimal.valueOf(first()).scaleByPowerOfTen(scale)) < 0 ? scale - 1 : scale;
        }
    }

    record PowersOfTwo() implements Granularity {
        private static final BigDecimal TWO = BigDecimal.valueOf(2);

        @Override
        public Value roundUp(Value number) {
            if (Numbers.isZero(number) || isEndless(number)) {
                return number;
            }
            return switch (number) {
                case Value.Double64(double real) -> power(Math.getExponent(real) + 1);
                case Value.Decimal(Decimal128 decimal) -> {
                    int exponent = exponent(decimal.toBigDecimal());
                    yield decimalPower(exponent + 1);
                }
                default -> power(Long.SIZE - Long.numberOfLeadingZeros(Numbers.saturatedLong(number)));
            };
        }

        @Override
        public Value roundDown(Value number) {
            if (Numbers.isZero(number) || isEndless(number)) {
                return number;
            }
            return switch (number) {
                case Value.Double64(double real) -> {
                    int exponent = Math.getExponent(real);
                    yield power(Math.scalb(1.0, exponent) == real ? exponent - 1 : exponent);
                }
                case Value.Decimal(Decimal128 decimal) -> {
                    BigDecimal exact = decimal.toBigDecimal();
                    int exponent = exponent(exact);
                    yield decimalPower(bigPower(exponent).compareTo(exact) == 0 ? exponent - 1 : exponent);
                }
                default -> {
                    long whole = Numbers.saturatedLong(number);
                    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(whole);
                    yield power(Long.bitCount(whole) == 1 ? exponent - 1 : exponent);
                }
            };
        }

        /** As $pow computes it of two ints: an int or a long if the exponent is not negative and the result fits. */
        private static Value power(int exponent) {
            if (exponent >= 0 && exponent < Integer.SIZE - 1) {
                return Value.of(1 << exponent);
            }
            return exponent >= 0 && exponent < Long.SIZE - 1
                    ? Value.of(1L << exponent)
                    : Value.of(Math.scalb(1.0, exponent));
        }

        private static Value decimalPower(int exponent) {
            return new Value.Decimal(Decimal128.of(bigPower(exponent)));
        }

        private static BigDecimal bigPower(int exponent) {
            return TWO.pow(exponent, MathContext.DECIMAL128);
        }

        /** The greatest exponent whose power of two is not above the number. */
        private static int exponent(BigDecimal number) {
            double digits = Math.log10(number.unscaledValue().doubleValue()) - number.scale();
            int exponent = (int) Math.floor(digits / Math.log10(2));
            while (bigPower(exponent).compareTo(number) > 0) {
                exponent--;
            }
            while (bigPower(exponent + 1).compareTo(number) <= 0) {
                exponent++;
            }
            return exponent;
        }
    }

    /** Renard's, the 1-2-5 series, and those of resistors. */
    final class Series {
        private static final Map<String, int[]> BY_NAME = Map.ofEntries(
                Map.entry("R5", of(10, 16, 25, 40, 63)),
                Map.entry("R10", of(100, 125, 160, 200, 250, 315, 400, 500, 630, 800)),
                Map.entry(
                        "R20",
                        of(
                                100, 112, 125, 140, 160, 180, 200, 224, 250, 280, 315, 355, 400, 450, 500, 560, 630,
                                710, 800, 900)),
                Map.entry(
                        "R40",
                        of(
                                100, 106, 112, 118, 125, 132, 140, 150, 160, 170, 180, 190, 200, 212, 224, 236, 250,
                                265, 280, 300, 315, 355, 375, 400, 425, 450, 475, 500, 530, 560, 600, 630, 670, 710,
                                750, 800, 850, 900, 950)),
                Map.entry(
                        "R80",
                        of(
                                103, 109, 115, 122, 128, 136, 145, 155, 165, 175, 185, 195, 206, 218, 230, 243, 258,
                                272, 290, 307, 325, 345, 365, 387, 412, 437, 462, 487, 515, 545, 575, 615, 650, 690,
                                730, 775, 825, 875, 925, 975)),
                Map.entry("1-2-5", of(10, 20, 50)),
                Map.entry("E6", of(10, 15, 22, 33, 47, 68)),
                Map.entry("E12", of(10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)),
                Map.entry(
                        "E24",
                        of(
                                10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75,
                                82, 91)),
                Map.entry("E48", ofResistors(48)),
                Map.entry("E96", ofResistors(96)),
                Map.entry("E192", ofResistors(192)));

        private Series() {}

        private static int[] of(int... numbers) {
            return numbers;
        }

        /** So many numbers for each power of ten, with three digits, in equal ratios; 920 is the one exception. */
        private static int[] ofResistors(int count) {
            return IntStream.range(0, count)
                    .map(i -> (int) Math.round(100 * Math.pow(10, (double) i / count)))
                    .map(each -> each == 919 ? 920 : each)
                    .toArray();
        }
    }
}

package dev.semel.query.expression;

import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** {@code $add $subtract $multiply $divide $mod $abs $ceil $floor $round $trunc}: numbers, and dates where they add. */
public final class Arithmetic {
    private static final double TWO_TO_63 = 0x1p63;
    private static final int PLACES_MIN = -20;
    private static final int PLACES_MAX = 100;

    private Arithmetic() {}

    // ---- as other parts of the language compute

    public static Value sum(@Nullable Value a, @Nullable Value b) {
        return add(new @Nullable Value[] {a, b});
    }

    public static Value difference(@Nullable Value a, @Nullable Value b) {
        return subtract(new @Nullable Value[] {a, b});
    }

    public static Value product(@Nullable Value a, @Nullable Value b) {
        return multiply(new @Nullable Value[] {a, b});
    }

    public static Value quotient(@Nullable Value a, @Nullable Value b) {
        return divide(new @Nullable Value[] {a, b});
    }

    // ---- the five operations

    static Value add(@Nullable Value[] arguments) {
        Value total = Value.of(0);
        boolean date = false;
        for (Value argument : arguments) {
            switch (argument) {
                case Value.Date(long millis) -> {
                    if (date) {
                        throw new CommandException(
                                ErrorCode.location(16612), "only one date allowed in an $add expression");
                    }
                    date = true;
                    total = addTo(total, Value.of(millis), true);
                }
                case null, default -> {
                    if (Types.isNullish(argument)) {
                        return Value.NULL;
                    }
                    total = addTo(total, number("$add", "numeric or date", argument), date);
                }
            }
        }
        return date ? date(total, "$add") : total;
    }

    private static Value addTo(Value total, Value addend, boolean date) {
        Value sum = Numbers.addExact(total, addend);
        if (sum != null) {
            return sum;
        }
        if (date) {
            throw dateOverflow("$add");
        }
        return Numbers.add(total, addend);
    }

    static Value multiply(@Nullable Value[] arguments) {
        Value product = Value.of(1);
        for (Value argument : arguments) {
            if (Types.isNullish(argument)) {
                return Value.NULL;
            }
            product = Numbers.multiply(product, number("$multiply", "numeric", argument));
        }
        return product;
    }

    static Value subtract(@Nullable Value[] arguments) {
        Value a = arguments[0];
        Value b = arguments[1];
        if (Types.anyNullish(a, b)) {
            return Value.NULL;
        }
        if (a instanceof Value.Date(long millis)) {
            if (b instanceof Value.Date(long other)) {
                return Value.of(millis - other);
            }
            if (b != null && b.type().isNumber()) {
                Value difference = Numbers.subtractExact(Value.of(millis), b);
                if (difference == null) {
                    throw dateOverflow("$subtract");
                }
                return date(difference, "$subtract");
            }
        }
        requireNumbers("can't $subtract %s from %s", a, b, b, a);
        return Numbers.subtract(present(a), present(b));
    }

    static Value divide(@Nullable Value[] arguments) {
        Value a = arguments[0];
        Value b = arguments[1];
        if (Types.anyNullish(a, b)) {
            return Value.NULL;
        }
        requireNumbers("$divide only supports numeric types, not %s and %s", a, b, a, b);
        if (Numbers.isZero(present(b))) {
            throw new CommandException(ErrorCode.BadValue, "can't $divide by zero");
        }
        return Numbers.divide(present(a), present(b));
    }

    static Value mod(@Nullable Value[] arguments) {
        Value a = present(arguments[0]);
        Value b = present(arguments[1]);
        if (Types.anyNullish(a, b)) {
            return Value.NULL;
        }
        if (!Numbers.isNumber(a) || !Numbers.isNumber(b)) {
            throw new CommandException(
                    ErrorCode.location(16611),
                    "$mod only supports numeric types, not %s and %s",
                    Types.name(a),
                    Types.name(b));
        }
        if (Numbers.isZero(b)) {
            throw new CommandException(ErrorCode.location(16610), "can't $mod by zero");
        }
        // A whole number of type double does not make the result a double, if it is small.
        if (b instanceof Value.Double64 && (a instanceof Value.Int32 || a instanceof Value.Int64)) {
            Integer whole = asInt32(b);
            return Numbers.mod(a, whole == null ? b : Value.of(whole));
        }
        return Numbers.mod(a, b);
    }

    private static Value present(@Nullable Value value) {
        return value == null ? Value.NULL : value;
    }

    private static Value number(String function, String kinds, @Nullable Value value) {
        if (value == null || !value.type().isNumber()) {
            throw new CommandException(
                    ErrorCode.TypeMismatch, "%s only supports %s types, not %s", function, kinds, Types.name(value));
        }
        return value;
    }

    private static void requireNumbers(
            String message, @Nullable Value a, @Nullable Value b, @Nullable Value first, @Nullable Value second) {
        if (!Numbers.isNumber(a) || !Numbers.isNumber(b)) {
            throw new CommandException(ErrorCode.TypeMismatch, message, Types.name(first), Types.name(second));
        }
    }

    private static Value date(Value millis, String function) {
        return switch (millis) {
            case Value.Double64(double number) -> {
                if (!(number >= -TWO_TO_63 && number < TWO_TO_63)) {
                    throw dateOverflow(function);
                }
                yield new Value.Date((long) (number < 0 ? Math.ceil(number - 0.5) : Math.floor(number + 0.5)));
            }
            case Value.Decimal(Decimal128 number) -> {
                OptionalLong whole = number.isFinite()
                        ? Numbers.exactLong(new Value.Decimal(Decimal128.of(whole(number, RoundingMode.HALF_EVEN))))
                        : OptionalLong.empty();
                yield new Value.Date(whole.orElseThrow(() -> dateOverflow(function)));
            }
            default -> new Value.Date(Numbers.saturatedLong(millis));
        };
    }

    private static CommandException dateOverflow(String function) {
        return new CommandException(ErrorCode.Overflow, "date overflow in %s", function);
    }

    // ---- one number

    /** The single argument of a numeric function; null if the result is null. */
    static @Nullable Value numeric(String function, @Nullable Value value) {
        if (Types.isNullish(value)) {
            return null;
        }
        if (!Numbers.isNumber(value)) {
            throw new CommandException(
                    ErrorCode.location(28765), "%s only supports numeric types, not %s", function, Types.name(value));
        }
        return value;
    }

    static Value abs(@Nullable Value[] arguments) {
        return switch (numeric("$abs", arguments[0])) {
            case null -> Value.NULL;
            case Value.Int32(int number) ->
                number == Integer.MIN_VALUE ? Value.of(-(long) number) : Value.of(Math.abs(number));
            case Value.Int64(long number) -> {
                if (number == Long.MIN_VALUE) {
                    throw new CommandException(ErrorCode.location(28680), "can't take $abs of long long min");
                }
                yield Value.of(Math.abs(number));
            }
            case Value.Decimal(Decimal128 number) ->
                new Value.Decimal(new Decimal128(number.high() & Long.MAX_VALUE, number.low()));
            case Value number -> Value.of(Math.abs(Numbers.doubleOf(number)));
        };
    }

    static Value ceil(@Nullable Value[] arguments) {
        return towards(RoundingMode.CEILING, numeric("$ceil", arguments[0]));
    }

    static Value floor(@Nullable Value[] arguments) {
        return towards(RoundingMode.FLOOR, numeric("$floor", arguments[0]));
    }

    private static Value towards(RoundingMode mode, @Nullable Value value) {
        return switch (value) {
            case null -> Value.NULL;
            case Value.Double64(double number) ->
                Value.of(mode == RoundingMode.CEILING ? Math.ceil(number) : Math.floor(number));
            case Value.Decimal(Decimal128 number) when number.isFinite() -> decimal(number, whole(number, mode));
            default -> value;
        };
    }

    private static BigDecimal whole(Decimal128 number, RoundingMode mode) {
        BigDecimal exact = number.toBigDecimal();
        return exact.scale() <= 0 ? exact : exact.setScale(0, mode);
    }

    /** With the sign of what it was rounded from, which matters if it became zero. */
    private static Value decimal(Decimal128 from, BigDecimal rounded) {
        Decimal128 result = Decimal128.of(rounded);
        return new Value.Decimal(
                from.isNegative() && rounded.signum() == 0
                        ? new Decimal128(result.high() | Long.MIN_VALUE, result.low())
                        : result);
    }

    // ---- rounding to a place

    static Value round(@Nullable Value[] arguments) {
        return roundTo("$round", arguments, RoundingMode.HALF_EVEN);
    }

    static Value trunc(@Nullable Value[] arguments) {
        return roundTo("$trunc", arguments, RoundingMode.DOWN);
    }

    private static Value roundTo(String function, @Nullable Value[] arguments, RoundingMode mode) {
        Value value = arguments[0];
        if (Types.isNullish(value) || (arguments.length > 1 && Types.isNullish(arguments[1]))) {
            return Value.NULL;
        }
        if (!Numbers.isNumber(value)) {
            throw new CommandException(
                    ErrorCode.location(51081), "%s only supports numeric types, not %s", function, Types.name(value));
        }
        int places = arguments.length > 1 ? places(function, arguments[1]) : 0;
        return switch (value) {
            case Value.Double64(double number)
            when Double.isFinite(number) -> {
                double rounded = new BigDecimal(number)
                        .round(MathContext.DECIMAL128)
                        .setScale(places, mode)
                        .doubleValue();
                yield Value.of(rounded == 0 ? Math.copySign(rounded, number) : rounded);
            }
            case Value.Decimal(Decimal128 number) when number.isFinite() -> roundTo(number, places, mode);
            case Value.Int32(int number) when places < 0 -> roundTo(function, number, places, mode, false);
            case Value.Int64(long number) when places < 0 -> roundTo(function, number, places, mode, true);
            case null -> Value.NULL;
            default -> value;
        };
    }

    private static int places(String function, @Nullable Value value) {
        OptionalLong places = Numbers.exactLong(value);
        if (places.isEmpty()) {
            throw new CommandException(
                    ErrorCode.location(51082), "precision argument to  %s must be a integral value", function);
        }
        if (places.getAsLong() < PLACES_MIN || places.getAsLong() > PLACES_MAX) {
            throw new CommandException(
                    ErrorCode.location(51083),
                    "cannot apply %s with precision value %d value must be in [-20, 100]",
                    function,
                    places.getAsLong());
        }
        return (int) places.getAsLong();
    }

    private static Value roundTo(Decimal128 number, int places, RoundingMode mode) {
        BigDecimal exact = number.toBigDecimal();
        // More places than 34 digits can show would only be lost again.
        boolean fits = (long) exact.precision() - exact.scale() + places <= 34;
        return places >= exact.scale() && !fits
                ? new Value.Decimal(number)
                : decimal(number, exact.setScale(places, mode));
    }

    private static Value roundTo(String function, long number, int places, RoundingMode mode, boolean isLong) {
        BigDecimal rounded = BigDecimal.valueOf(number).setScale(places, mode).setScale(0);
        if (rounded.toBigInteger().bitLength() >= Long.SIZE) {
            throw new CommandException(
                    ErrorCode.location(51080),
                    "invalid conversion from Decimal128 result in %s resulting from arguments: [%d, %d]",
                    function,
                    number,
                    places);
        }
        long result = rounded.longValueExact();
        return !isLong && (int) result == result ? Value.of((int) result) : Value.of(result);
    }

    // ---- whole numbers for other families

    /** The number if it is whole and fits an int, whatever its type; null otherwise. */
    static @Nullable Integer asInt32(@Nullable Value value) {
        OptionalLong number = Numbers.exactLong(value);
        return number.isPresent() && (int) number.getAsLong() == number.getAsLong() ? (int) number.getAsLong() : null;
    }
}

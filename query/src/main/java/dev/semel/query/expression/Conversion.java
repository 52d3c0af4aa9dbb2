package dev.semel.query.expression;

import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code $convert} and its shorthands {@code $toInt $toLong $toDouble $toDecimal $toString $toBool $toDate $toObjectId}. */
final class Conversion {
    private static final int OBJECT_ID_DIGITS = 24;

    private static final byte GENERIC = 0;
    private static final byte UUID = 4;

    private Conversion() {}

    // ---- the forms

    private static final Parameters CONVERT = Parameters.of(ErrorCode.FailedToParse, ErrorCode.FailedToParse)
            .saying(Parameters.FOUND)
            .required("input", ErrorCode.FailedToParse)
            .required("to", ErrorCode.FailedToParse)
            .optional("format")
            .optional("onError")
            .optional("onNull");

    static Expression convert(String name, Value operand, Parser parser) {
        var given = CONVERT.parse(name, operand);
        Expression format = given.optional("format", parser);
        Expression.Call call = new Expression.Call(
                new Function(name, Conversion::convert),
                List.of(
                        given.expression("input", parser),
                        given.expression("to", parser),
                        format == null ? new Expression.Literal(null) : format));
        return Forms.attempt(given, call, parser, true);
    }

    /** {@code {$toInt: x}}, which is {@code {$convert: {input: x, to: "int", format: "auto"}}}. */
    static Form to(BsonType type) {
        return shorthand(input -> convert(input, type, BinaryFormat.AUTO, GENERIC));
    }

    static Form toUuid() {
        return shorthand(input -> convert(input, BsonType.BINARY, BinaryFormat.UUID, UUID));
    }

    private static Form shorthand(UnaryOperator<Value> conversion) {
        return (name, operand, parser) -> {
            List<Expression> arguments = parser.operands(operand);
            if (arguments.size() != 1) {
                throw Types.wrong(50723, "%s requires a single argument, got %d", name, arguments.size());
            }
            Function.Body body =
                    values -> Types.isNullish(values[0]) ? Value.NULL : conversion.apply(present(values[0]));
            return new Expression.Call(new Function(name, body), arguments);
        };
    }

    private static Value present(@Nullable Value value) {
        return value == null ? Value.NULL : value;
    }

    private static Value convert(@Nullable Value[] arguments) {
        if (Types.isNullish(arguments[1])) {
            return Value.NULL;
        }
        Value input = present(arguments[0]);
        if (!(arguments[1] instanceof Value.Doc(var target))) {
            return convert(input, type(present(arguments[1])), BinaryFormat.of(arguments[2]), GENERIC);
        }
        BsonType type = type(present(target.get("type")));
        BinaryFormat format = BinaryFormat.of(arguments[2]);
        Value subtype = target.get("subtype");
        // Only looked at where it is needed.
        boolean toBinary = type == BsonType.BINARY && (input instanceof Value.Str || input instanceof Value.Binary);
        return convert(input, type, format, toBinary && subtype != null ? BinaryFormat.subtype(subtype) : GENERIC);
    }

    private static BsonType type(Value to) {
        if (to instanceof Value.Str(var alias)) {
            String name = alias.toString();
            for (BsonType type : BsonType.values()) {
                if (type.alias().equals(name)) {
                    return type;
                }
            }
            throw new CommandException(ErrorCode.BadValue, "Unknown type name: %s", name);
        }
        if (!Numbers.isNumber(to)) {
            throw new CommandException(
                    ErrorCode.FailedToParse,
                    "$convert's 'to' argument must be a string or number, but is %s",
                    to.type());
        }
        OptionalLong code = Numbers.exactLong(to);
        for (BsonType type : BsonType.values()) {
            if (code.isPresent() && (type.code() == code.getAsLong() || (byte) type.code() == code.getAsLong())) {
                return type;
            }
        }
        throw new CommandException(
                ErrorCode.FailedToParse,
                "In $convert, numeric value for 'to' does not correspond to a BSON type: %s",
                Types.show(to));
    }

    // ---- by target

    private static Value convert(Value input, BsonType to, @Nullable BinaryFormat format, byte subtype) {
        return switch (to) {
            case DOUBLE -> toDouble(input);
            case STRING ->
                input instanceof Value.Binary binary
                        ? Value.of(BinaryText.text(binary, format))
                        : Value.of(text(input));
            case OBJECT_ID -> toObjectId(input);
            case BOOLEAN -> Value.of(Types.isTrue(input));
            case DATE -> toDate(input);
            case INT32 -> Value.of((int) toWhole(input, to, Integer.MIN_VALUE, Integer.MAX_VALUE));
            case INT64 -> Value.of(toWhole(input, to, Long.MIN_VALUE, Long.MAX_VALUE));
            case DECIMAL128 -> toDecimal(input);
            case BINARY -> BinaryText.binary(input, format, subtype);
            default -> throw unsupported(input, to);
        };
    }

    private static Value same(Value input, BsonType to) {
        if (input.type() != to) {
            throw unsupported(input, to);
        }
        return input;
    }

    static CommandException unsupported(Value input, BsonType to) {
        return failure("Unsupported conversion from %s to %s", input.type(), to);
    }

    private static final String UNCAUGHT = " in $convert with no onError value";

    private static CommandException failure(String message, Object... arguments) {
        return new CommandException(ErrorCode.ConversionFailure, "%s", message.formatted(arguments) + UNCAUGHT);
    }

    static CommandException unparsable(String what, String text, String why) {
        return new CommandException(
                ErrorCode.ConversionFailure, "Failed to parse %s '%s'%s: %s", what, text, UNCAUGHT, why);
    }

    private static Value toDouble(Value input) {
        return switch (input) {
            case Value.Bool(boolean bool) -> Value.of(bool ? 1.0 : 0.0);
            case Value.Date(long millis) -> Value.of((double) millis);
            case Value.Str(var text) -> Value.of(parseDouble(text.toString()));
            case Value.Decimal(Decimal128 decimal) -> {
                double nearest = decimal.doubleValue();
                if (Double.isInfinite(nearest) && !decimal.isInfinite()) {
                    throw overflow(input);
                }
                yield Value.of(nearest);
            }
            case Value.Int32 number -> Value.of(Numbers.doubleOf(number));
            case Value.Int64 number -> Value.of(Numbers.doubleOf(number));
            default -> same(input, BsonType.DOUBLE);
        };
    }

    private static double parseDouble(String text) {
        String unsigned = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        double sign = text.startsWith("-") ? -1 : 1;
        switch (unsigned.toLowerCase(Locale.ROOT)) {
            case "inf", "infinity" -> {
                return sign * Double.POSITIVE_INFINITY;
            }
            case "nan" -> {
                return Double.NaN;
            }
            default -> {}
        }
        checkDecimalNotation(text);
        double number = Double.parseDouble(text);
        if (Double.isInfinite(number) || (Math.abs(number) < Double.MIN_NORMAL && !isExactly(text, number))) {
            throw unparsable("number", text, "Out of range");
        }
        return number;
    }

    private static boolean isExactly(String text, double number) {
        // Of zero, the exponent may be larger than BigDecimal reads.
        return number == 0
                ? text.chars().takeWhile(c -> c != 'e' && c != 'E').noneMatch(c -> c >= '1' && c <= '9')
                : new BigDecimal(text).compareTo(new BigDecimal(number)) == 0;
    }

    /** Java would also read suffixes, hexadecimal and blanks around. */
    private static void checkDecimalNotation(String text) {
        boolean digits = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            digits |= c >= '0' && c <= '9';
            boolean sign = (c == '-' || c == '+') && (i == 0 || text.charAt(i - 1) == 'e' || text.charAt(i - 1) == 'E');
            if (!(c >= '0' && c <= '9') && !sign && c != '.' && !((c == 'e' || c == 'E') && digits)) {
                throw unreadable(text);
            }
        }
        try {
            if (!digits || Double.isNaN(Double.parseDouble(text))) {
                throw unreadable(text);
            }
        } catch (NumberFormatException e) {
            throw unreadable(text);
        }
    }

    private static CommandException unreadable(String text) {
        return unparsable("number", text, "Did not consume whole string.");
    }

    private static Value toDecimal(Value input) {
        return switch (input) {
            case Value.Bool(boolean bool) -> new Value.Decimal(Decimal128.of(bool ? 1 : 0));
            case Value.Date(long millis) -> new Value.Decimal(Decimal128.of(millis));
            case Value.Str(var text) -> {
                try {
                    yield new Value.Decimal(Decimal128.nearest(text.toString()));
                } catch (NumberFormatException e) {
                    throw unparsable("number", text.toString(), "Failed to parse string to decimal");
                } catch (ArithmeticException e) {
                    String why = "Conversion from string to decimal would " + e.getMessage();
                    throw unparsable("number", text.toString(), why);
                }
            }
            default -> {
                if (!Numbers.isNumber(input)) {
                    throw unsupported(input, BsonType.DECIMAL128);
                }
                yield new Value.Decimal(Numbers.decimal(input));
            }
        };
    }

    private static long toWhole(Value input, BsonType to, long least, long most) {
        return switch (input) {
            case Value.Bool(boolean bool) -> bool ? 1 : 0;
            case Value.Date(long millis) when to == BsonType.INT64 -> millis;
            case Value.Str(var text) -> parseWhole(text.toString(), least, most);
            case Value.Double64(double number) -> truncated(input, number, least, most);
            case Value.Decimal(Decimal128 number) -> truncated(input, number.doubleValue(), least, most);
            case Value.Int32(int number) -> number;
            case Value.Int64(long number) -> checked(input, number, least, most);
            default -> throw unsupported(input, to);
        };
    }

    private static long truncated(Value input, double nearest, long least, long most) {
        if (Double.isNaN(nearest)) {
            throw failure("Attempt to convert NaN value to integer type");
        }
        if (Double.isInfinite(nearest) && !(input instanceof Value.Decimal(var decimal) && decimal.isFinite())) {
            throw failure("Attempt to convert infinity value to integer type");
        }
        long whole = Numbers.saturatedLong(input);
        // What does not fit a long was saturated to its limits.
        boolean beyond = (whole == Long.MAX_VALUE || whole == Long.MIN_VALUE) && !fitsLong(input);
        if (beyond) {
            throw overflow(input);
        }
        return checked(input, whole, least, most);
    }

    private static boolean fitsLong(Value input) {
        BigDecimal exact = input instanceof Value.Decimal(var decimal)
                ? decimal.toBigDecimal()
                : new BigDecimal(Numbers.doubleOf(input));
        return exact.precision() - exact.scale() <= 20
                && exact.setScale(0, RoundingMode.DOWN).toBigInteger().bitLength() < Long.SIZE;
    }

    private static long checked(Value input, long number, long least, long most) {
        if (number < least || number > most) {
            throw overflow(input);
        }
        return number;
    }

    private static CommandException overflow(Value input) {
        return new CommandException(
                ErrorCode.ConversionFailure,
                "Conversion would overflow target type%s: %s",
                UNCAUGHT,
                Types.show(input));
    }

    private static long parseWhole(String text, long least, long most) {
        try {
            long number = Long.parseLong(text);
            if (number < least || number > most) {
                throw unparsable("number", text, "Overflow");
            }
            return number;
        } catch (NumberFormatException e) {
            throw unparsable("number", text, "Did not consume whole string.");
        }
    }

    private static Value toObjectId(Value input) {
        if (!(input instanceof Value.Str(var text))) {
            return same(input, BsonType.OBJECT_ID);
        }
        String hex = text.toString();
        try {
            return Value.of(ObjectId.parse(hex));
        } catch (IllegalArgumentException e) {
            throw unparsable("objectId", hex, objectIdProblem(hex));
        }
    }

    private static String objectIdProblem(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes != OBJECT_ID_DIGITS) {
            return "Invalid string length for parsing to OID, expected 24 but found " + bytes;
        }
        int wrong = (int) text.chars().takeWhile(HexFormat::isHexDigit).count();
        return "Invalid character found in hex string: " + text.charAt(wrong);
    }

    private static Value toDate(Value input) {
        return switch (input) {
            case Value.Str(var text) -> new Value.Date(DateText.parse(text.toString()));
            case Value.Oid(ObjectId id) -> new Value.Date(Integer.toUnsignedLong(id.seconds()) * 1000);
            case Value.Timestamp timestamp -> new Value.Date(Integer.toUnsignedLong(timestamp.seconds()) * 1000);
            case Value.Double64 number ->
                new Value.Date(toWhole(number, BsonType.INT64, Long.MIN_VALUE, Long.MAX_VALUE));
            case Value.Decimal number ->
                new Value.Date(toWhole(number, BsonType.INT64, Long.MIN_VALUE, Long.MAX_VALUE));
            case Value.Int64(long number) -> new Value.Date(number);
            default -> same(input, BsonType.DATE);
        };
    }

    // ---- to string

    private static String text(Value input) {
        return switch (input) {
            case Value.Str(var text) -> text.toString();
            case Value.Bool(boolean bool) -> Boolean.toString(bool);
            case Value.Oid(ObjectId id) -> id.toString();
            case Value.Date(long millis) -> Dates.text(millis);
            default -> {
                if (!Numbers.isNumber(input)) {
                    throw unsupported(input, BsonType.STRING);
                }
                yield numberText(input);
            }
        };
    }

    /** As C prints a number with as many digits as it takes: no trailing zeros, an exponent if very large or small. */
    static String numberText(Value number) {
        return switch (number) {
            case Value.Int32(int value) -> Integer.toString(value);
            case Value.Int64(long value) -> Long.toString(value);
            case Value.Decimal(Decimal128 value) -> value.toString();
            default -> doubleText(Numbers.doubleOf(number));
        };
    }

    private static String doubleText(double number) {
        if (Double.isNaN(number)) {
            return "NaN";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "Infinity" : "-Infinity";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0" : "0";
        }
        BigDecimal shortest = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        BigDecimal oneDigit = shortest.round(new MathContext(1));
        // Java prints two digits also where one stands for no other number.
        if (Math.abs(number) < Double.MIN_NORMAL && oneDigit.doubleValue() == number) {
            shortest = oneDigit.stripTrailingZeros();
        }
        int exponent = shortest.precision() - shortest.scale() - 1;
        if (exponent >= -4 && exponent < 16) {
            return shortest.toPlainString();
        }
        String digits = shortest.unscaledValue().abs().toString();
        String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        String sign = exponent < 0 ? "-" : "+";
        String padded = Math.abs(exponent) < 10 ? "0" + Math.abs(exponent) : Integer.toString(Math.abs(exponent));
        return (number < 0 ? "-" : "") + mantissa + "e" + sign + padded;
    }
}

package dev.semel.wire.bson;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Objects that stand for a value which JSON has no syntax for: {@code {"$oid": "..."}}. Version 2 of the format, and of the
 * older one {@code $binary} with {@code $type}, {@code $regex} with {@code $options}, {@code $date} with a bare number.
 *
 * <p>Query operators of the same name ({@code $type}, {@code $regex}) are distinguished by their operands: where both
 * readings are possible, as with {@code {"$regex": "a", "$options": "i"}}, both mean the same.
 */
final class ExtendedJson {
    private static final Set<String> KEYS = Set.of(
            "$oid",
            "$symbol",
            "$numberInt",
            "$numberLong",
            "$numberDouble",
            "$numberDecimal",
            "$binary",
            "$type",
            "$uuid",
            "$code",
            "$scope",
            "$timestamp",
            "$regularExpression",
            "$regex",
            "$options",
            "$dbPointer",
            "$date",
            "$minKey",
            "$maxKey",
            "$undefined");

    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(?:[0-9]{1,999}\\.?[0-9]{0,999}|\\.[0-9]{1,999})(?:[eE][+-]?[0-9]{1,9})?");
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
    private static final Pattern SUBTYPE = Pattern.compile("[0-9a-fA-F]{1,2}");

    private static final DateTimeFormatter DATE = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .appendPattern("[XXX][XX][X]")
            .toFormatter();

    private ExtendedJson() {}

    /** Whether an object whose first key this is may be such a value. */
    static boolean mayBegin(String firstKey) {
        return firstKey.startsWith("$") && KEYS.contains(firstKey);
    }

    /** The value of an object that has this key alone, its operand a string; null if that spells none. */
    static @Nullable Value read(String key, String operand) {
        return switch (key) {
            case "$oid" -> new Value.Oid(objectId(operand));
            case "$symbol" -> new Value.Symbol(Text.of(operand));
            case "$numberInt" -> Value.of(int32(operand));
            case "$numberLong" -> Value.of(int64(operand));
            case "$numberDouble" -> Value.of(float64(operand));
            case "$numberDecimal" -> new Value.Decimal(decimal(operand));
            case "$uuid" -> uuid(operand);
            case "$code" -> new Value.Code(Text.of(operand));
            case "$date" -> new Value.Date(millis(operand));
            default -> null;
        };
    }

    /**
     * The value that the object spells, or the object itself.
     *
     * @throws IllegalArgumentException if it should spell a value and does not
     */
    static Value read(RawDocument object) {
        var first = object.cursor();
        first.next();
        String key = first.name();
        return switch (key) {
            case "$oid", "$symbol", "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$uuid" ->
                operand(read(key, onlyString(object, key)), key);
            case "$binary" -> binary(object, first.value());
            case "$type" -> object.has("$binary") ? oldBinary(object) : Value.of(object);
            case "$code" -> code(object);
            case "$scope" -> object.has("$code") ? code(object) : Value.of(object);
            case "$timestamp" -> timestamp(onlyDocument(object, key));
            case "$regularExpression" -> regularExpression(onlyDocument(object, key));
            case "$regex", "$options" -> oldRegex(object);
            case "$dbPointer" -> dbPointer(onlyDocument(object, key));
            case "$date" -> new Value.Date(date(only(object, key)));
            case "$minKey" -> constant(object, key, Value.of(1), Value.MIN_KEY);
            case "$maxKey" -> constant(object, key, Value.of(1), Value.MAX_KEY);
            case "$undefined" -> constant(object, key, Value.TRUE, Value.UNDEFINED);
            default -> Value.of(object);
        };
    }

    private static ObjectId objectId(String hex) {
        if (hex.length() != 24) {
            throw malformed("$oid must have 24 hexadecimal digits");
        }
        return ObjectId.parse(hex);
    }

    private static int int32(String digits) {
        long number = int64(digits);
        if (number != (int) number) {
            throw malformed("$numberInt is out of range: " + digits);
        }
        return (int) number;
    }

    private static long int64(String digits) {
        for (int i = digits.startsWith("-") ? 1 : 0; i < digits.length(); i++) {
            // Long.parseLong alone would take a plus sign, and the digits of other scripts.
            if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
                throw malformed("a whole number is expected, found '" + digits + "'");
            }
        }
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw malformed("a whole number of 64 bits is expected, found '" + digits + "'");
        }
    }

    private static double float64(String text) {
        return switch (text) {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> {
                if (!NUMBER.matcher(text).matches()) {
                    throw malformed("$numberDouble must be a number, found '" + text + "'");
                }
                yield Double.parseDouble(text);
            }
        };
    }

    private static Decimal128 decimal(String text) {
        try {
            return Decimal128.parse(text);
        } catch (NumberFormatException e) {
            throw malformed("$numberDecimal is " + e.getMessage());
        }
    }

    private static Value uuid(String text) {
        if (!UUID.matcher(text).matches()) {
            throw malformed("$uuid must have the form 8-4-4-4-12, found '" + text + "'");
        }
        return new Value.Binary((byte) 4, HexFormat.of().parseHex(text.replace("-", "")));
    }

    private static Value binary(RawDocument object, Value operand) {
        if (operand instanceof Value.Str) {
            return oldBinary(object);
        }
        RawDocument parts = onlyDocument(object, "$binary");
        checkSize(parts, 2, "$binary");
        return binary(string(parts, "base64"), string(parts, "subType"));
    }

    private static Value oldBinary(RawDocument object) {
        checkSize(object, 2, "$binary with $type");
        String subtype = object.get("$type") instanceof Value.Int32(int number)
                ? Integer.toHexString(number)
                : string(object, "$type");
        return binary(string(object, "$binary"), subtype);
    }

    private static Value binary(String base64, String subtype) {
        if (!SUBTYPE.matcher(subtype).matches()) {
            throw malformed("a binary subtype must be one or two hexadecimal digits, found '" + subtype + "'");
        }
        byte type = (byte) HexFormat.fromHexDigits(subtype);
        byte[] bytes = Base64.getDecoder().decode(base64);
        return new Value.Binary(type, type == 2 ? withInnerLength(bytes) : bytes);
    }

    /** Subtype 2 repeats its length inside the value; JSON shows what comes after it. */
    private static byte[] withInnerLength(byte[] bytes) {
        byte[] result = new byte[4 + bytes.length];
        LittleEndian.putInt32(result, 0, bytes.length);
        System.arraycopy(bytes, 0, result, 4, bytes.length);
        return result;
    }

    private static Value code(RawDocument object) {
        Text source = Text.of(string(object, "$code"));
        checkSize(object, 2, "$code with $scope");
        if (object.get("$scope") instanceof Value.Doc(RawDocument scope)) {
            return new Value.CodeWithScope(source, scope);
        }
        throw malformed("$scope must be an object");
    }

    private static Value timestamp(RawDocument parts) {
        checkSize(parts, 2, "$timestamp");
        return new Value.Timestamp(unsigned(parts, "t"), unsigned(parts, "i"));
    }

    private static int unsigned(RawDocument parts, String name) {
        long number = switch (parts.get(name)) {
            case Value.Int32(int small) -> small;
            case Value.Int64(long large) -> large;
            case null, default -> -1;
        };
        if (number < 0 || number > 0xFFFF_FFFFL) {
            throw malformed("$timestamp needs '" + name + "', a whole number from 0 to 4294967295");
        }
        return (int) number;
    }

    private static Value regularExpression(RawDocument parts) {
        checkSize(parts, 2, "$regularExpression");
        return regex(string(parts, "pattern"), string(parts, "options"));
    }

    private static Value oldRegex(RawDocument object) {
        return object.size() == 2
                        && object.get("$regex") instanceof Value.Str(Text pattern)
                        && object.get("$options") instanceof Value.Str(Text options)
                ? regex(pattern.toString(), options.toString())
                : Value.of(object);
    }

    private static Value regex(String pattern, String options) {
        if (pattern.indexOf('\0') >= 0 || options.indexOf('\0') >= 0) {
            throw malformed("a regular expression with a null character in it");
        }
        char[] sorted = options.toCharArray();
        Arrays.sort(sorted);
        return new Value.Regex(pattern, new String(sorted));
    }

    private static Value dbPointer(RawDocument parts) {
        checkSize(parts, 2, "$dbPointer");
        if (parts.get("$id") instanceof Value.Oid(ObjectId id)) {
            return new Value.DbPointer(Text.of(string(parts, "$ref")), id);
        }
        throw malformed("$dbPointer needs '$id', an ObjectId");
    }

    private static long date(Value operand) {
        return switch (operand) {
            case Value.Int64(long millis) -> millis;
            case Value.Int32(int millis) -> millis;
            default -> throw malformed("$date must be a time as a string or milliseconds, found " + operand.type());
        };
    }

    private static long millis(String text) {
        try {
            return OffsetDateTime.parse(text, DATE).toInstant().toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw malformed("$date must have the form 2024-01-31T23:59:59.999Z, found '" + text + "'");
        }
    }

    private static Value constant(RawDocument object, String key, Value expected, Value meaning) {
        if (!only(object, key).equals(expected)) {
            throw malformed(key + " must be " + Json.relaxed(expected));
        }
        return meaning;
    }

    private static Value only(RawDocument object, String key) {
        checkSize(object, 1, key);
        return operand(object.get(key), key);
    }

    private static String onlyString(RawDocument object, String key) {
        checkSize(object, 1, key);
        return string(object, key);
    }

    private static RawDocument onlyDocument(RawDocument object, String key) {
        if (only(object, key) instanceof Value.Doc(RawDocument parts)) {
            return parts;
        }
        throw malformed(key + " must be an object");
    }

    private static String string(RawDocument object, String key) {
        Value value = operand(object.get(key), key);
        if (value instanceof Value.Str(Text text)) {
            return text.toString();
        }
        throw malformed("'" + key + "' must be a string, found " + value.type());
    }

    private static Value operand(@Nullable Value value, String key) {
        if (value == null) {
            throw malformed("'" + key + "' is missing");
        }
        return value;
    }

    private static void checkSize(RawDocument object, int size, String what) {
        if (object.size() != size) {
            throw malformed(what + " takes " + size + (size == 1 ? " field" : " fields") + ", found " + object.size());
        }
    }

    private static IllegalArgumentException malformed(String message) {
        return new IllegalArgumentException(message);
    }
}

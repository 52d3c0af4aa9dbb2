package dev.semel.wire.bson;

import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** Writes Extended JSON, version 2, on one line. */
final class JsonWriter {
    private static final HexFormat HEX = HexFormat.of();

    /** The first millisecond of the year 10000; from there on, and before 1970, dates are written as numbers. */
    private static final long DATES_END = 253_402_300_800_000L;

    private final StringBuilder out;
    private final boolean relaxed;

    JsonWriter(StringBuilder out, JsonStyle style) {
        this.out = out;
        this.relaxed = style == JsonStyle.RELAXED;
    }

    void write(RawDocument document) {
        String separator = "{";
        for (var at = document.cursor(); at.next(); separator = ", ") {
            out.append(separator);
            quoted(at.name());
            out.append(": ");
            write(at.value());
        }
        out.append(document.isEmpty() ? "{}" : "}");
    }

    void write(Value value) {
        switch (value) {
            case Value.Double64(double number) -> number(number);
            case Value.Str(Text text) -> quoted(text.toString());
            case Value.Doc(RawDocument document) -> write(document);
            case Value.Array(RawDocument elements) -> array(elements);
            case Value.Binary(byte subtype, byte[] bytes) -> binary(subtype, bytes);
            case Value.Oid(ObjectId id) -> spelled("$oid", id.toString());
            case Value.Bool(boolean bool) -> out.append(bool);
            case Value.Date(long millis) -> date(millis);
            case Value.Regex(String pattern, String options) -> {
                out.append("{\"$regularExpression\": {\"pattern\": ");
                quoted(pattern);
                out.append(", \"options\": ");
                quoted(options);
                out.append("}}");
            }
            case Value.DbPointer(Text namespace, ObjectId id) -> {
                out.append("{\"$dbPointer\": {\"$ref\": ");
                quoted(namespace.toString());
                out.append(", \"$id\": ");
                spelled("$oid", id.toString());
                out.append("}}");
            }
            case Value.Code(Text source) -> spelled("$code", source.toString());
            case Value.Symbol(Text text) -> spelled("$symbol", text.toString());
            case Value.CodeWithScope(Text source, RawDocument scope) -> {
                out.append("{\"$code\": ");
                quoted(source.toString());
                out.append(", \"$scope\": ");
                write(scope);
                out.append('}');
            }
            case Value.Int32(int number) -> whole("$numberInt", number);
            case Value.Int64(long number) -> whole("$numberLong", number);
            case Value.Timestamp timestamp ->
                out.append("{\"$timestamp\": {\"t\": ")
                        .append(Integer.toUnsignedLong(timestamp.seconds()))
                        .append(", \"i\": ")
                        .append(Integer.toUnsignedLong(timestamp.increment()))
                        .append("}}");
            case Value.Decimal(Decimal128 decimal) -> spelled("$numberDecimal", decimal.toString());
            case Value.Constant constant ->
                out.append(
                        switch (constant) {
                            case UNDEFINED -> "{\"$undefined\": true}";
                            case NULL -> "null";
                            case MIN_KEY -> "{\"$minKey\": 1}";
                            case MAX_KEY -> "{\"$maxKey\": 1}";
                        });
        }
    }

    private void array(RawDocument elements) {
        String separator = "[";
        for (var at = elements.cursor(); at.next(); separator = ", ") {
            out.append(separator);
            write(at.value());
        }
        out.append(elements.isEmpty() ? "[]" : "]");
    }

    private void whole(String key, long number) {
        if (relaxed) {
            out.append(number);
        } else {
            spelled(key, Long.toString(number));
        }
    }

    private void number(double number) {
        if (relaxed && Double.isFinite(number)) {
            out.append(digits(number));
        } else {
            spelled("$numberDouble", digits(number));
        }
    }

    /** Java's shortest digits, with the sign at the exponent that the specification's examples have. */
    private static String digits(double number) {
        String digits = Double.toString(number);
        int exponent = digits.indexOf('E');
        return exponent < 0 || digits.charAt(exponent + 1) == '-' ? digits : digits.replace("E", "E+");
    }

    private void date(long millis) {
        if (relaxed && millis >= 0 && millis < DATES_END) {
            spelled("$date", Instant.ofEpochMilli(millis).toString());
        } else {
            out.append("{\"$date\": ");
            spelled("$numberLong", Long.toString(millis));
            out.append('}');
        }
    }

    private void binary(byte subtype, byte[] bytes) {
        // Subtype 2 repeats its length inside, which is no part of what it says.
        byte[] content = subtype == 2 && bytes.length >= 4 ? Arrays.copyOfRange(bytes, 4, bytes.length) : bytes;
        out.append("{\"$binary\": {\"base64\": \"")
                .append(Base64.getEncoder().encodeToString(content))
                .append("\", \"subType\": \"")
                .append(HEX.toHexDigits(subtype))
                .append("\"}}");
    }

    private void spelled(String key, String operand) {
        out.append("{\"").append(key).append("\": ");
        quoted(operand);
        out.append('}');
    }

    private void quoted(String string) {
        out.append('"');
        int copied = 0;
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\' || c < 0x20) {
                out.append(string, copied, i);
                escaped(c);
                copied = i + 1;
            }
        }
        out.append(string, copied, string.length()).append('"');
    }

    private void escaped(char c) {
        switch (c) {
            case '"', '\\' -> out.append('\\').append(c);
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> out.append("\\u").append(HEX.toHexDigits(c));
        }
    }
}

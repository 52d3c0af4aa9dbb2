package dev.semel.wire.bson;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Documents as MongoDB's own messages print them: {@code { name: "x", n: 1.0 }}. Clients read those messages, a
 * duplicate key's above all, so they keep the form; what is meant to be parsed again is {@link Json}.
 */
public final class Shell {
    private static final int DOUBLE_DIGITS = 16;

    private Shell() {}

    public static String text(RawDocument document) {
        return append(new StringBuilder(), document).toString();
    }

    public static String text(Value value) {
        return append(new StringBuilder(), value).toString();
    }

    private static StringBuilder append(StringBuilder out, RawDocument document) {
        if (document.isEmpty()) {
            return out.append("{}");
        }
        String separator = "{ ";
        for (var at = document.cursor(); at.next(); separator = ", ") {
            append(out.append(separator).append(at.nameText()).append(": "), at.value());
        }
        return out.append(" }");
    }

    private static StringBuilder appendArray(StringBuilder out, RawDocument elements) {
        if (elements.isEmpty()) {
            return out.append("[]");
        }
        String separator = "[ ";
        for (var at = elements.cursor(); at.next(); separator = ", ") {
            append(out.append(separator), at.value());
        }
        return out.append(" ]");
    }

    private static StringBuilder append(StringBuilder out, Value value) {
        return switch (value) {
            case Value.Double64(double number) -> out.append(number(number));
            case Value.Str(Text text) -> quoted(out, text);
            case Value.Doc(RawDocument document) -> append(out, document);
            case Value.Array(RawDocument elements) -> appendArray(out, elements);
            case Value.Binary(byte subtype, byte[] bytes) -> binary(out, subtype, bytes);
            case Value.Oid(ObjectId id) -> out.append("ObjectId('").append(id).append("')");
            case Value.Bool(boolean bool) -> out.append(bool);
            case Value.Date(long millis) ->
                out.append("new Date(").append(millis).append(')');
            case Value.Regex(String pattern, String options) ->
                out.append('/').append(pattern).append('/').append(options);
            case Value.DbPointer(Text namespace, ObjectId id) ->
                out.append("DBRef('").append(namespace).append("',").append(id).append(')');
            case Value.Code(Text source) -> out.append(source);
            case Value.Symbol(Text text) -> quoted(out, text);
            case Value.CodeWithScope(Text source, RawDocument scope) ->
                append(out.append("CodeWScope( ").append(source).append(", "), scope)
                        .append(')');
            case Value.Int32(int number) -> out.append(number);
            case Value.Int64(long number) -> out.append(number);
            case Value.Timestamp timestamp ->
                out.append("Timestamp(")
                        .append(Integer.toUnsignedString(timestamp.seconds()))
                        .append(", ")
                        .append(Integer.toUnsignedString(timestamp.increment()))
                        .append(')');
            case Value.Decimal(Decimal128 decimal) -> out.append(decimal);
            case Value.Constant constant ->
                out.append(
                        switch (constant) {
                            case UNDEFINED -> "undefined";
                            case NULL -> "null";
                            case MIN_KEY -> "MinKey";
                            case MAX_KEY -> "MaxKey";
                        });
        };
    }

    private static StringBuilder binary(StringBuilder out, byte subtype, byte[] bytes) {
        String hex = HexFormat.of().formatHex(bytes);
        if (subtype == 4 && bytes.length == 16) {
            return out.append("UUID(\"")
                    .append(hex, 0, 8)
                    .append('-')
                    .append(hex, 8, 12)
                    .append('-')
                    .append(hex, 12, 16)
                    .append('-')
                    .append(hex, 16, 20)
                    .append('-')
                    .append(hex, 20, 32)
                    .append("\")");
        }
        return out.append("BinData(")
                .append(subtype & 0xFF)
                .append(", ")
                .append(hex.toUpperCase(Locale.ROOT))
                .append(')');
    }

    /**
     * Sixteen significant digits, as C's {@code %.16g} prints them. A double without a point gets one, so that it cannot
     * be taken for an integer; MongoDB gives one to {@code nan} and {@code 1e+16} as well.
     */
    private static String number(double number) {
        if (Double.isNaN(number)) {
            return "nan.0";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "inf.0" : "-inf.0";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0.0" : "0.0";
        }
        BigDecimal rounded =
                new BigDecimal(number).round(new MathContext(DOUBLE_DIGITS)).stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        String digits =
                exponent < -4 || exponent >= DOUBLE_DIGITS ? scientific(rounded, exponent) : rounded.toPlainString();
        return digits.indexOf('.') < 0 ? digits + ".0" : digits;
    }

    private static String scientific(BigDecimal number, int exponent) {
        BigDecimal mantissa = number.movePointLeft(exponent).stripTrailingZeros();
        return "%se%s%02d".formatted(mantissa.toPlainString(), exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    private static StringBuilder quoted(StringBuilder out, Text text) {
        String string = text.toString();
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> out.append(c);
            }
        }
        return out.append('"');
    }
}

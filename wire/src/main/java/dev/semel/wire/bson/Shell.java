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

    /** Of a document or value in a message, which may name several. */
    private static final int MESSAGE_CHARS_MAX = 16 << 10;

    private static final String CUT = "...";

    private final StringBuilder out = new StringBuilder();

    /** Nothing but what ends it is added to a longer text. */
    private final int charsMax;

    private Shell(int charsMax) {
        this.charsMax = charsMax;
    }

    /** For a message: what is very long ends with three dots. */
    public static String text(RawDocument document) {
        return new Shell(MESSAGE_CHARS_MAX).append(document).out.toString();
    }

    /** No longer than about so many characters. */
    public static String text(RawDocument document, int charsMax) {
        return new Shell(charsMax).append(document).out.toString();
    }

    /** The same of a value. */
    public static String text(Value value) {
        return new Shell(MESSAGE_CHARS_MAX).append(value).out.toString();
    }

    /** As long as it is, for those who asked for it. */
    public static String whole(Value value) {
        return new Shell(Integer.MAX_VALUE).append(value).out.toString();
    }

    private boolean isFull() {
        return out.length() >= charsMax;
    }

    private Shell append(RawDocument document) {
        if (document.isEmpty()) {
            out.append("{}");
            return this;
        }
        String separator = "{ ";
        for (var at = document.cursor(); at.next(); separator = ", ") {
            out.append(separator);
            if (isFull()) {
                out.append(CUT);
                break;
            }
            part(at.nameText().toString());
            out.append(": ");
            append(at.value());
        }
        out.append(" }");
        return this;
    }

    private void appendArray(RawDocument elements) {
        if (elements.isEmpty()) {
            out.append("[]");
            return;
        }
        String separator = "[ ";
        for (var at = elements.cursor(); at.next(); separator = ", ") {
            out.append(separator);
            if (isFull()) {
                out.append(CUT);
                break;
            }
            append(at.value());
        }
        out.append(" ]");
    }

    private Shell append(Value value) {
        switch (value) {
            case Value.Double64(double number) -> out.append(number(number));
            case Value.Str(Text text) -> quoted(text);
            case Value.Doc(RawDocument document) -> append(document);
            case Value.Array(RawDocument elements) -> appendArray(elements);
            case Value.Binary(byte subtype, byte[] bytes) -> binary(subtype, bytes);
            case Value.Oid(ObjectId id) -> out.append("ObjectId('").append(id).append("')");
            case Value.Bool(boolean bool) -> out.append(bool);
            case Value.Date(long millis) ->
                out.append("new Date(").append(millis).append(')');
            case Value.Regex(String pattern, String options) -> {
                out.append('/');
                part(pattern);
                out.append('/').append(options);
            }
            case Value.DbPointer(Text namespace, ObjectId id) -> {
                out.append("DBRef('");
                part(namespace.toString());
                out.append("',").append(id).append(')');
            }
            case Value.Code(Text source) -> part(source.toString());
            case Value.Symbol(Text text) -> quoted(text);
            case Value.CodeWithScope(Text source, RawDocument scope) -> {
                out.append("CodeWScope( ");
                part(source.toString());
                out.append(", ");
                append(scope);
                out.append(')');
            }
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
        }
        return this;
    }

    private void part(String text) {
        int end = Math.min(text.length(), Math.max(0, charsMax - out.length()));
        out.append(text, 0, end);
        if (end < text.length()) {
            out.append(CUT);
        }
    }

    private void binary(byte subtype, byte[] bytes) {
        int shown = Math.min(bytes.length, Math.max(16, charsMax / 2));
        String hex = HexFormat.of().formatHex(bytes, 0, shown);
        if (subtype == 4 && bytes.length == 16) {
            out.append("UUID(\"")
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
            return;
        }
        out.append("BinData(").append(subtype & 0xFF).append(", ");
        part(hex.toUpperCase(Locale.ROOT));
        out.append(shown < bytes.length ? CUT : "").append(')');
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

    private void quoted(Text text) {
        String string = text.toString();
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            if (isFull()) {
                out.append(CUT);
                break;
            }
            char c = string.charAt(i);
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> out.append(c);
            }
        }
        out.append('"');
    }
}

package dev.semel.query.expression;

import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.BitSet;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * {@code $concat $toLower $toUpper $substrBytes $substrCP $strLenBytes $strLenCP $strcasecmp $indexOfBytes $indexOfCP
 * $split $trim $ltrim $rtrim $replaceOne $replaceAll}. Case changes only in ASCII, as MongoDB does without a collation.
 */
final class Strings {
    private Strings() {}

    static Value concat(@Nullable Value[] arguments, Scratch scratch) {
        long length = 0;
        for (Value argument : arguments) {
            if (Types.isNullish(argument)) {
                return Value.NULL;
            }
            if (!(argument instanceof Value.Str(var text))) {
                throw Types.wrong(16702, "$concat only supports strings, not %s", Types.name(argument));
            }
            length += text.length();
        }
        Sizes.check(length);
        scratch.building(length);
        byte[] all = new byte[(int) length];
        int at = 0;
        for (Value argument : arguments) {
            Text text = text(argument);
            text.copyTo(all, at);
            at += text.length();
        }
        return new Value.Str(new Text(all, 0, all.length));
    }

    /** The text of a value that is known to be a string. */
    private static Text text(@Nullable Value value) {
        return value instanceof Value.Str(var text) ? text : Text.EMPTY;
    }

    // ---- what can be read as a string

    static Value toLower(@Nullable Value[] arguments) {
        return shift(arguments[0], 'A', 'Z', 'a' - 'A');
    }

    static Value toUpper(@Nullable Value[] arguments) {
        return shift(arguments[0], 'a', 'z', 'A' - 'a');
    }

    private static Value shift(@Nullable Value value, char first, char last, int distance) {
        byte[] bytes = coerced(value).toBytes();
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] >= first && bytes[i] <= last) {
                bytes[i] += (byte) distance;
            }
        }
        return new Value.Str(new Text(bytes, 0, bytes.length));
    }

    static Value strcasecmp(@Nullable Value[] arguments) {
        Text a = text(toUpper(new @Nullable Value[] {arguments[0]}));
        Text b = text(toUpper(new @Nullable Value[] {arguments[1]}));
        return Value.of(Integer.signum(a.compareTo(b)));
    }

    private static Text coerced(@Nullable Value value) {
        return switch (value) {
            case Value.Str(var text) -> text;
            case Value.Symbol(var text) -> text;
            case Value.Code(var source) -> source;
            case Value.Timestamp timestamp -> Text.of(Types.show(timestamp));
            case Value.Date date -> Text.of(Dates.text(date.millis()));
            case null, default -> {
                if (Types.isNullish(value)) {
                    yield Text.EMPTY;
                }
                if (value == null || !Numbers.isNumber(value)) {
                    throw Types.wrong(16007, "can't convert from BSON type %s to String", Types.name(value));
                }
                yield Text.of(Conversion.numberText(value));
            }
        };
    }

    // ---- length

    static Value strLenBytes(@Nullable Value[] arguments) {
        if (!(arguments[0] instanceof Value.Str(var text))) {
            throw Types.wrong(34473, "$strLenBytes requires a string argument, found: %s", Types.name(arguments[0]));
        }
        return Value.of(text.length());
    }

    static Value strLenCP(@Nullable Value[] arguments) {
        if (!(arguments[0] instanceof Value.Str(var text))) {
            throw Types.wrong(34471, "$strLenCP requires a string argument, found: %s", Types.name(arguments[0]));
        }
        return Value.of(Utf8.length(text));
    }

    // ---- parts

    static Value substrBytes(@Nullable Value[] arguments) {
        Text text = coerced(arguments[0]);
        long start =
                index(16034, "$substrBytes:  starting index must be a numeric type (is BSON type %s)", arguments[1]);
        long length = index(16035, "$substrBytes:  length must be a numeric type (is BSON type %s)", arguments[2]);
        if (start < 0) {
            throw Types.wrong(50752, "$substrBytes:  starting index must be non-negative (got: %d)", start);
        }
        if (start >= text.length()) {
            return new Value.Str(Text.EMPTY);
        }
        int from = (int) start;
        int to = length < 0 ? text.length() : (int) Math.min(text.length(), start + Math.min(length, text.length()));
        if (Utf8.isContinuation(text, from)) {
            throw Types.wrong(28656, "$substrBytes:  Invalid range, starting index is a UTF-8 continuation byte.");
        }
        if (Utf8.isContinuation(text, to)) {
            throw Types.wrong(
                    28657, "$substrBytes:  Invalid range, ending index is in the middle of a UTF-8 character.");
        }
        return new Value.Str(Utf8.slice(text, from, to));
    }

    private static long index(int code, String message, @Nullable Value value) {
        if (value == null || !Numbers.isNumber(value)) {
            throw Types.wrong(code, message, Types.name(value));
        }
        return Numbers.saturatedLong(value);
    }

    static Value substrCP(@Nullable Value[] arguments) {
        Text text = coerced(arguments[0]);
        int start = int32(34450, 34451, "starting index", arguments[1]);
        int length = int32(34452, 34453, "length", arguments[2]);
        if (length < 0) {
            throw Types.wrong(34454, "$substrCP: length must be a nonnegative integer.");
        }
        if (start < 0) {
            throw Types.wrong(34455, "$substrCP: the starting index must be nonnegative integer.");
        }
        int from = Utf8.offset(text, 0, start);
        return new Value.Str(Utf8.slice(text, from, Utf8.offset(text, from, length)));
    }

    private static int int32(int notANumber, int notAnInt, String what, @Nullable Value value) {
        if (!Numbers.isNumber(value)) {
            throw Types.wrong(
                    notANumber, "$substrCP: %s must be a numeric type (is BSON type %s)", what, Types.name(value));
        }
        Integer number = Arithmetic.asInt32(value);
        if (number == null) {
            throw Types.wrong(
                    notAnInt,
                    "$substrCP: %s cannot be represented as a 32-bit integral value: %s",
                    what,
                    Types.show(value));
        }
        return number;
    }

    // ---- searching

    static Value indexOfBytes(@Nullable Value[] arguments) {
        if (Types.isNullish(arguments[0])) {
            return Value.NULL;
        }
        Text text = required("$indexOfBytes", 40091, "first", arguments[0]);
        Text wanted = required("$indexOfBytes", 40092, "second", arguments[1]);
        int start = position("$indexOfBytes", "starting", arguments, 2, 0);
        int end = Math.min(text.length(), position("$indexOfBytes", "ending", arguments, 3, text.length()));
        return Value.of(start > end ? -1 : Utf8.find(text, wanted, start, end));
    }

    static Value indexOfCP(@Nullable Value[] arguments) {
        if (Types.isNullish(arguments[0])) {
            return Value.NULL;
        }
        Text text = required("$indexOfCP", 40093, "first", arguments[0]);
        Text wanted = required("$indexOfCP", 40094, "second", arguments[1]);
        int length = Utf8.length(text);
        int start = position("$indexOfCP", "starting", arguments, 2, 0);
        int end = Math.min(length, position("$indexOfCP", "ending", arguments, 3, length));
        if (start > end) {
            return Value.of(-1);
        }
        int from = Utf8.offset(text, 0, start);
        int found = Utf8.find(text, wanted, from, Utf8.offset(text, from, end - start));
        return Value.of(found < 0 ? -1 : start + Utf8.length(Utf8.slice(text, from, found)));
    }

    private static Text required(String function, int code, String which, @Nullable Value value) {
        if (!(value instanceof Value.Str(var text))) {
            throw Types.wrong(
                    code, "%s requires a string as the %s argument, found: %s", function, which, Types.name(value));
        }
        return text;
    }

    /** A search bound; what was not given is {@code otherwise}. */
    static int position(String function, String which, @Nullable Value[] arguments, int index, int otherwise) {
        if (arguments.length <= index) {
            return otherwise;
        }
        OptionalLong number = Numbers.exactLong(arguments[index]);
        if (number.isEmpty()) {
            throw Types.wrong(
                    40096,
                    "%s requires an integral %s index, found a value of type: %s, with value: \"%s\"",
                    function,
                    which,
                    Types.name(arguments[index]),
                    Types.show(arguments[index]));
        }
        if (number.getAsLong() < 0) {
            throw Types.wrong(
                    40097, "%s requires a nonnegative %s index, found: %d", function, which, number.getAsLong());
        }
        return (int) Math.min(Integer.MAX_VALUE, number.getAsLong());
    }

    static Value split(@Nullable Value[] arguments, Scratch scratch) {
        if (Types.anyNullish(arguments)) {
            return Value.NULL;
        }
        if (!(arguments[0] instanceof Value.Str(var text))) {
            throw Types.wrong(
                    40085,
                    "$split requires an expression that evaluates to a string as a first argument, found: %s",
                    Types.name(arguments[0]));
        }
        if (!(arguments[1] instanceof Value.Str(var separator))) {
            throw Types.wrong(
                    40086,
                    "$split requires an expression that evaluates to a string as a second argument, found: %s",
                    Types.name(arguments[1]));
        }
        if (separator.isEmpty()) {
            throw Types.wrong(40087, "$split requires a non-empty separator");
        }
        BsonWriter parts = new BsonWriter(64);
        int start = 0;
        for (int at; (at = Utf8.find(text, separator, start, text.length())) >= 0; start = at + separator.length()) {
            parts.add(new Value.Str(Utf8.slice(text, start, at)));
            scratch.building(parts);
        }
        return parts.add(new Value.Str(Utf8.slice(text, start, text.length()))).finishArray();
    }

    // ---- replacing

    static final Parameters REPLACE = Parameters.of(51751, 51750)
            .saying(Parameters.FOUND, Parameters.REQUIRES)
            .required("input", 51749)
            .required("find", 51748)
            .required("replacement", 51747);

    static Value replaceOne(@Nullable Value[] arguments, Scratch scratch) {
        return replace("$replaceOne", arguments, 1, scratch);
    }

    static Value replaceAll(@Nullable Value[] arguments, Scratch scratch) {
        return replace("$replaceAll", arguments, Integer.MAX_VALUE, scratch);
    }

    private static Value replace(String function, @Nullable Value[] arguments, int times, Scratch scratch) {
        boolean none = Types.anyNullish(arguments);
        Text input = replaced(function, 51746, "input", arguments[0]);
        Text find = replaced(function, 51745, "find", arguments[1]);
        Text replacement = replaced(function, 51744, "replacement", arguments[2]);
        if (none) {
            return Value.NULL;
        }
        ByteSink out = new ByteSink(input.length() + replacement.length(), scratch);
        int start = 0;
        int remaining = times;
        int searchFrom = 0;
        while (remaining > 0) {
            int at = Utf8.find(input, find, searchFrom, input.length());
            if (at < 0) {
                break;
            }
            out.append(input, start, at).append(replacement, 0, replacement.length());
            start = at + find.length();
            // The empty string is found before every character and at the end.
            searchFrom = find.isEmpty() ? Utf8.offset(input, at, 1) : start;
            if (find.isEmpty() && at == input.length()) {
                break;
            }
            remaining--;
        }
        return new Value.Str(out.append(input, start, input.length()).text());
    }

    private static Text replaced(String function, int code, String name, @Nullable Value value) {
        if (Types.isNullish(value)) {
            return Text.EMPTY;
        }
        if (!(value instanceof Value.Str(var text))) {
            throw Types.wrong(code, "%s requires that '%s' be a string, found: %s", function, name, Types.show(value));
        }
        return text;
    }

    // ---- trimming

    static final Parameters TRIM = Parameters.of(50696, 50694)
            .saying(Parameters.FOUND, "%s requires an '%s' field")
            .required("input", 50695)
            .optional("chars");

    static Value trim(@Nullable Value[] arguments) {
        return trim("$trim", arguments, true, true);
    }

    static Value ltrim(@Nullable Value[] arguments) {
        return trim("$ltrim", arguments, true, false);
    }

    static Value rtrim(@Nullable Value[] arguments) {
        return trim("$rtrim", arguments, false, true);
    }

    /** What MongoDB calls whitespace: the null character, and the spaces of Unicode that are in Latin scripts. */
    private static final String BLANKS =
            "\0\t\n\u000B\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A";

    private static Value trim(String function, @Nullable Value[] arguments, boolean left, boolean right) {
        Value input = arguments[0];
        if (Types.isNullish(input)) {
            return Value.NULL;
        }
        if (!(input instanceof Value.Str(var text))) {
            throw Types.wrong(
                    50699,
                    "%s requires its input to be a string, got %s (of type %s) instead.",
                    function,
                    Types.show(input),
                    Types.name(input));
        }
        String chars = BLANKS;
        if (arguments[1] != null) {
            if (Types.isNullish(arguments[1])) {
                return Value.NULL;
            }
            if (!(arguments[1] instanceof Value.Str(var given))) {
                throw Types.wrong(
                        50700,
                        "%s requires 'chars' to be a string, got %s (of type %s) instead.",
                        function,
                        Types.show(arguments[1]),
                        Types.name(arguments[1]));
            }
            chars = given.toString();
        }
        return Value.of(trimmed(text.toString(), chars, left, right));
    }

    private static String trimmed(String text, String chars, boolean left, boolean right) {
        // Not searched for each character: both texts may be long.
        BitSet set = new BitSet();
        chars.codePoints().forEach(set::set);
        int start = 0;
        int end = text.length();
        while (left && start < end && set.get(text.codePointAt(start))) {
            start += Character.charCount(text.codePointAt(start));
        }
        while (right && end > start && set.get(text.codePointBefore(end))) {
            end -= Character.charCount(text.codePointBefore(end));
        }
        return text.substring(start, end);
    }

    static Value binarySize(@Nullable Value[] arguments) {
        return switch (arguments[0]) {
            case Value.Str(var text) -> Value.of(text.length());
            case Value.Binary binary -> Value.of(binary.bytes().length);
            case null, default -> {
                if (Types.isNullish(arguments[0])) {
                    yield Value.NULL;
                }
                throw Types.wrong(
                        51276,
                        "$binarySize requires a string or BinData argument, found: %s",
                        Types.name(arguments[0]));
            }
        };
    }
}

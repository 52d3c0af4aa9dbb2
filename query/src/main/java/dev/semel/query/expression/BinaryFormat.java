package dev.semel.query.expression;

import dev.semel.query.value.Numbers;
import dev.semel.wire.bson.Value;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** How {@code $convert} writes binary data as text. */
enum BinaryFormat {
    AUTO,
    BASE64,
    BASE64URL,
    HEX,
    UTF8,
    UUID;

    /** What the argument says; {@code null} if it is null or missing. */
    static @Nullable BinaryFormat of(@Nullable Value argument) {
        if (argument == null || Types.isNullish(argument)) {
            return null;
        }
        if (!(argument instanceof Value.Str(var name))) {
            throw Types.wrong(
                    4341114,
                    "$convert requires that 'format' be a string, found: %s with value %s",
                    Types.name(argument),
                    Types.show(argument));
        }
        for (BinaryFormat format : values()) {
            if (format.toString().equals(name.toString())) {
                return format;
            }
        }
        throw Types.wrong(4341125, "Invalid 'format' argument for $convert: %s", name);
    }

    /** A subtype: those that BSON defines, and those that users may define. */
    static byte subtype(Value value) {
        if (!Numbers.isNumber(value)) {
            throw Types.wrong(
                    4341108,
                    "For BinData, $convert's 'subtype' argument must be a number, but is %s",
                    Types.name(value));
        }
        OptionalLong number = Numbers.exactLong(value);
        if (number.isEmpty()) {
            throw Types.wrong(4341106, "In $convert, numeric 'subtype' argument is not an integer");
        }
        long subtype = number.getAsLong();
        if (subtype < 0 || subtype > 255 || (subtype > 8 && subtype < 128)) {
            throw Types.wrong(
                    4341107,
                    "In $convert, numeric value for 'subtype' does not correspond to a BinData type: %d",
                    subtype);
        }
        return (byte) subtype;
    }

    /** As the argument has it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

package dev.semel.query.filter;

import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Numbers where the language wants whole ones. */
final class WholeNumbers {
    private WholeNumbers() {}

    /** Without the fraction, if that is a long. */
    static OptionalLong truncated(Value number) {
        return switch (number) {
            case Value.Double64(double value) ->
                value > -0x1p63 - 1 && value < 0x1p63 ? OptionalLong.of((long) value) : OptionalLong.empty();
            case Value.Decimal(Decimal128 value) -> {
                if (!value.isFinite()) {
                    yield OptionalLong.empty();
                }
                long truncated = Numbers.saturatedLong(number);
                boolean beyond = (truncated == Long.MAX_VALUE || truncated == Long.MIN_VALUE)
                        && Numbers.exactLong(number).isEmpty();
                yield beyond ? OptionalLong.empty() : OptionalLong.of(truncated);
            }
            default -> Numbers.exactLong(number);
        };
    }

    /** A whole number as an operator's argument, or the error that MongoDB's parsers give. */
    static long parse(String name, @Nullable Value value, ErrorCode code) {
        if (value == null || !Numbers.isNumber(value)) {
            throw new CommandException(code, "Expected a number in: %s", named(name, value));
        }
        if (Numbers.isNaN(value)) {
            throw new CommandException(code, "Expected an integer, but found NaN in: %s", named(name, value));
        }
        if (truncated(value).isEmpty()) {
            throw new CommandException(code, "Cannot represent as a 64-bit integer: %s", named(name, value));
        }
        OptionalLong exact = Numbers.exactLong(value);
        if (exact.isEmpty()) {
            throw new CommandException(code, "Expected an integer: %s", named(name, value));
        }
        return exact.getAsLong();
    }

    static long parseNonNegative(String name, @Nullable Value value, ErrorCode code) {
        long number = parse(name, value, code);
        if (number < 0) {
            throw new CommandException(code, "Expected a non-negative number in: %s", named(name, value));
        }
        return number;
    }

    private static String named(String name, @Nullable Value value) {
        return name + ": " + (value == null ? "missing" : Shell.text(value));
    }
}

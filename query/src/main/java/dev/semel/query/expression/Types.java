package dev.semel.query.expression;

import dev.semel.query.value.Numbers;
import dev.semel.query.value.ValueHash;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * What a value is: the questions every family asks, and {@code $type}, {@code $isNumber}, {@code $isArray},
 * {@code $toHashedIndexKey}.
 */
final class Types {
    private Types() {}

    /** Null, undefined or missing. */
    static boolean isNullish(@Nullable Value value) {
        return value == null || value.equals(Value.NULL) || value.equals(Value.UNDEFINED);
    }

    static boolean anyNullish(@Nullable Value... values) {
        for (Value value : values) {
            if (isNullish(value)) {
                return true;
            }
        }
        return false;
    }

    /** False are false, null, undefined, missing and every zero; NaN and the empty string are true. */
    static boolean isTrue(@Nullable Value value) {
        return switch (value) {
            case null -> false;
            case Value.Bool(boolean bool) -> bool;
            case Value.Constant constant -> constant != Value.NULL && constant != Value.UNDEFINED;
            default -> !value.type().isNumber() || !Numbers.isZero(value);
        };
    }

    /** The alias of the type, {@code missing} if there is no value. */
    static String name(@Nullable Value value) {
        return value == null ? "missing" : value.type().alias();
    }

    /** The value as messages print it. */
    static String show(@Nullable Value value) {
        return value == null ? "MISSING" : Shell.text(value);
    }

    static Value type(@Nullable Value[] arguments) {
        return Value.of(name(arguments[0]));
    }

    static Value isNumber(@Nullable Value[] arguments) {
        return Value.of(Numbers.isNumber(arguments[0]));
    }

    static Value isArray(@Nullable Value[] arguments) {
        return Value.of(arguments[0] instanceof Value.Array);
    }

    static Value hashedIndexKey(@Nullable Value[] arguments) {
        Value value = arguments[0];
        return Value.of(ValueHash.of(value == null ? Value.NULL : value));
    }

    static Value tsSecond(@Nullable Value[] arguments) {
        Value.Timestamp timestamp = timestamp("$tsSecond", 5687301, arguments[0]);
        return timestamp == null ? Value.NULL : Value.of(Integer.toUnsignedLong(timestamp.seconds()));
    }

    static Value tsIncrement(@Nullable Value[] arguments) {
        Value.Timestamp timestamp = timestamp("$tsIncrement", 5687302, arguments[0]);
        return timestamp == null ? Value.NULL : Value.of(Integer.toUnsignedLong(timestamp.increment()));
    }

    private static Value.@Nullable Timestamp timestamp(String function, int code, @Nullable Value value) {
        if (isNullish(value)) {
            return null;
        }
        if (!(value instanceof Value.Timestamp timestamp)) {
            throw wrong(code, " Argument to %s must be a timestamp, but is %s", function, name(value));
        }
        return timestamp;
    }

    /** An error that has a number and no name. */
    static CommandException wrong(int code, String message, Object... arguments) {
        return new CommandException(ErrorCode.location(code), message, arguments);
    }
}

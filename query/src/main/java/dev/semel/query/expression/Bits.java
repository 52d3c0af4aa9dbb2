package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code $bitAnd $bitOr $bitXor $bitNot}: on ints and longs only, a long if one of them is. */
final class Bits {
    private Bits() {}

    static Value and(@Nullable Value[] arguments) {
        return combine("$bitAnd", arguments, -1, (a, b) -> a & b);
    }

    static Value or(@Nullable Value[] arguments) {
        return combine("$bitOr", arguments, 0, (a, b) -> a | b);
    }

    static Value xor(@Nullable Value[] arguments) {
        return combine("$bitXor", arguments, 0, (a, b) -> a ^ b);
    }

    static Value not(@Nullable Value[] arguments) {
        return switch (arguments[0]) {
            case Value.Int32(int number) -> Value.of(~number);
            case Value.Int64(long number) -> Value.of(~number);
            case null, default -> {
                if (Types.isNullish(arguments[0])) {
                    yield Value.NULL;
                }
                throw new CommandException(
                        ErrorCode.TypeMismatch,
                        "$bitNot only supports int and long, not: %s.",
                        Types.name(arguments[0]));
            }
        };
    }

    private static Value combine(
            String function, @Nullable Value[] arguments, int identity, LongBinaryOperator operator) {
        long result = identity;
        boolean wide = false;
        for (Value argument : arguments) {
            switch (argument) {
                case Value.Int32(int number) -> result = operator.applyAsLong(result, number);
                case Value.Int64(long number) -> {
                    wide = true;
                    result = operator.applyAsLong(result, number);
                }
                case null, default -> {
                    if (Types.isNullish(argument)) {
                        return Value.NULL;
                    }
                    throw new CommandException(
                            ErrorCode.TypeMismatch, "%s only supports int and long operands.", function);
                }
            }
        }
        return wide ? Value.of(result) : Value.of((int) result);
    }
}

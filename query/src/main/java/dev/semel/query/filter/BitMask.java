package dev.semel.query.filter;

import dev.semel.query.value.ElementTest;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * The bits that {@code $bitsAllSet} and its like look at, counted from the least. A negative number goes on with ones for
 * ever, binary data with zeros.
 */
public record BitMask(BitSet positions) {
    private static final int MAX_POSITION = 16 * 1024 * 1024 * 8;

    static BitMask parse(String path, String operator, Value value) {
        return switch (value) {
            case Value.Array(RawDocument elements) -> new BitMask(positions(elements));
            case Value.Binary(byte subtype, byte[] bytes) -> new BitMask(BitSet.valueOf(bytes));
            default -> {
                if (!Numbers.isNumber(value)) {
                    throw new CommandException(
                            ErrorCode.BadValue,
                            "%s takes an Array, a number, or a BinData but received: %s: %s",
                            path,
                            operator,
                            Shell.text(value));
                }
                long mask = WholeNumbers.parseNonNegative(operator, value, ErrorCode.FailedToParse);
                yield new BitMask(BitSet.valueOf(new long[] {mask}));
            }
        };
    }

    private static BitSet positions(RawDocument elements) {
        var positions = new BitSet();
        for (var element : elements) {
            long position;
            try {
                position = WholeNumbers.parseNonNegative(element.name(), element.value(), ErrorCode.BadValue);
            } catch (CommandException e) {
                throw e.withMessage("Failed to parse bit position. " + e.text());
            }
            if (position > Integer.MAX_VALUE) {
                throw new CommandException(
                        ErrorCode.BadValue,
                        "Failed to parse bit position. bit positions cannot be represented as a 32-bit signed "
                                + "integer: %s",
                        Shell.text(element.value()));
            }
            // No binary data has more bits; what lies beyond any value is one position like another.
            positions.set((int) Math.min(position, MAX_POSITION));
        }
        return positions;
    }

    boolean test(Condition.Bits.Wanted wanted, byte type, byte[] bytes, int at) {
        if (type == BsonType.BINARY.code()) {
            int length = LittleEndian.int32(bytes, at);
            return test(
                    wanted,
                    position -> position < length * 8L && (bytes[at + 5 + position / 8] >> (position % 8) & 1) != 0);
        }
        if (type == ElementTest.MISSING || !BsonType.of(type).isNumber()) {
            return false;
        }
        var number = Numbers.exactLong(ElementCursor.decode(bytes, type, at));
        if (number.isEmpty()) {
            return false;
        }
        long value = number.getAsLong();
        return test(wanted, position -> (value >> Math.min(position, Long.SIZE - 1) & 1) != 0);
    }

    private boolean test(Condition.Bits.Wanted wanted, IntPredicate isSet) {
        return switch (wanted) {
            case ALL_SET -> positions.stream().allMatch(isSet);
            case ALL_CLEAR -> positions.stream().noneMatch(isSet);
            case ANY_SET -> positions.stream().anyMatch(isSet);
            case ANY_CLEAR -> !positions.stream().allMatch(isSet);
        };
    }
}

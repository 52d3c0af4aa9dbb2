package dev.semel.query.value;

import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.LittleEndian;
import java.util.Arrays;

/** {@link ValueOrder} on bytes: the same order and hash without creating anything, except for decimals. */
final class RawOrder {
    private static final byte DOUBLE = 0x01;
    private static final byte INT32 = 0x10;
    private static final byte DECIMAL = 0x13;

    private RawOrder() {}

    static int compare(byte typeA, byte[] a, int atA, byte typeB, byte[] b, int atB) {
        int byKind = ValueOrder.kind(typeA) - ValueOrder.kind(typeB);
        if (byKind != 0) {
            return byKind;
        }
        return switch (typeA) {
            case 0x01, 0x10, 0x12, 0x13 -> compareNumbers(typeA, a, atA, typeB, b, atB);
            case 0x02, 0x0D, 0x0E -> compareTexts(a, atA, b, atB);
            case 0x03 -> compareDocuments(a, atA, b, atB, true);
            case 0x04 -> compareDocuments(a, atA, b, atB, false);
            case 0x05 -> compareBinary(a, atA, b, atB);
            case 0x07 -> Arrays.compareUnsigned(a, atA, atA + 12, b, atB, atB + 12);
            case 0x08 -> Boolean.compare(a[atA] != 0, b[atB] != 0);
            case 0x09 -> Long.compare(LittleEndian.int64(a, atA), LittleEndian.int64(b, atB));
            case 0x11 -> Long.compareUnsigned(LittleEndian.int64(a, atA), LittleEndian.int64(b, atB));
            case 0x0B, 0x0C, 0x0F ->
                ValueOrder.compare(ElementCursor.decode(a, typeA, atA), ElementCursor.decode(b, typeB, atB));
            default -> 0;
        };
    }

    static int compareDocuments(byte[] a, int startA, byte[] b, int startB, boolean byName) {
        int atA = startA + 4;
        int atB = startB + 4;
        int endA = startA + LittleEndian.int32(a, startA) - 1;
        int endB = startB + LittleEndian.int32(b, startB) - 1;
        while (atA < endA && atB < endB) {
            byte typeA = a[atA];
            byte typeB = b[atB];
            int byKind = ValueOrder.kind(typeA) - ValueOrder.kind(typeB);
            if (byKind != 0) {
                return byKind;
            }
            int nameEndA = nameEnd(a, atA + 1);
            int nameEndB = nameEnd(b, atB + 1);
            int order = byName ? Arrays.compareUnsigned(a, atA + 1, nameEndA, b, atB + 1, nameEndB) : 0;
            if (order == 0) {
                order = compare(typeA, a, nameEndA + 1, typeB, b, nameEndB + 1);
            }
            if (order != 0) {
                return order;
            }
            atA = nameEndA + 1 + ElementCursor.valueLength(a, typeA, nameEndA + 1);
            atB = nameEndB + 1 + ElementCursor.valueLength(b, typeB, nameEndB + 1);
        }
        return Boolean.compare(atA < endA, atB < endB);
    }

    static int hashDocument(byte[] bytes, int start, boolean byName) {
        int at = start + 4;
        int end = start + LittleEndian.int32(bytes, start) - 1;
        int hash = 1;
        while (at < end) {
            byte type = bytes[at];
            int nameEnd = nameEnd(bytes, at + 1);
            if (byName) {
                hash = 31 * hash + hashRange(bytes, at + 1, nameEnd);
            }
            hash = 31 * hash + hash(type, bytes, nameEnd + 1);
            at = nameEnd + 1 + ElementCursor.valueLength(bytes, type, nameEnd + 1);
        }
        return hash;
    }

    static int hash(byte type, byte[] bytes, int at) {
        return switch (type) {
            case INT32 -> ofKind(type, Long.hashCode(LittleEndian.int32(bytes, at)));
            case 0x12 -> ofKind(type, Long.hashCode(LittleEndian.int64(bytes, at)));
            case DOUBLE -> ofKind(type, Numbers.hash(Double.longBitsToDouble(LittleEndian.int64(bytes, at))));
            case 0x02, 0x0E -> ofKind(type, hashRange(bytes, at + 4, at + 3 + LittleEndian.int32(bytes, at)));
            case 0x03 -> ofKind(type, hashDocument(bytes, at, true));
            case 0x04 -> ofKind(type, hashDocument(bytes, at, false));
            default -> ValueOrder.hash(ElementCursor.decode(bytes, type, at));
        };
    }

    private static int ofKind(byte type, int hash) {
        return 31 * hash + ValueOrder.kind(type);
    }

    private static int hashRange(byte[] bytes, int start, int end) {
        int hash = 1;
        for (int i = start; i < end; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    private static int compareNumbers(byte typeA, byte[] a, int atA, byte typeB, byte[] b, int atB) {
        if (typeA == DECIMAL || typeB == DECIMAL) {
            return Numbers.compare(ElementCursor.decode(a, typeA, atA), ElementCursor.decode(b, typeB, atB));
        }
        if (typeA == DOUBLE) {
            double doubleA = Double.longBitsToDouble(LittleEndian.int64(a, atA));
            return typeB == DOUBLE
                    ? Numbers.compare(doubleA, Double.longBitsToDouble(LittleEndian.int64(b, atB)))
                    : -Numbers.compare(integer(typeB, b, atB), doubleA);
        }
        long integerA = integer(typeA, a, atA);
        return typeB == DOUBLE
                ? Numbers.compare(integerA, Double.longBitsToDouble(LittleEndian.int64(b, atB)))
                : Long.compare(integerA, integer(typeB, b, atB));
    }

    private static long integer(byte type, byte[] bytes, int at) {
        return type == INT32 ? LittleEndian.int32(bytes, at) : LittleEndian.int64(bytes, at);
    }

    private static int compareTexts(byte[] a, int atA, byte[] b, int atB) {
        int endA = atA + 3 + LittleEndian.int32(a, atA);
        int endB = atB + 3 + LittleEndian.int32(b, atB);
        return Arrays.compareUnsigned(a, atA + 4, endA, b, atB + 4, endB);
    }

    private static int compareBinary(byte[] a, int atA, byte[] b, int atB) {
        int lengthA = LittleEndian.int32(a, atA);
        int byLength = Integer.compare(lengthA, LittleEndian.int32(b, atB));
        return byLength != 0
                ? byLength
                : Arrays.compareUnsigned(a, atA + 4, atA + 5 + lengthA, b, atB + 4, atB + 5 + lengthA);
    }

    private static int nameEnd(byte[] bytes, int at) {
        int end = at;
        while (bytes[end] != 0) {
            end++;
        }
        return end;
    }
}

package dev.semel.query.filter;

import dev.semel.query.value.Collation;
import dev.semel.query.value.ElementTest;
import dev.semel.query.value.Numbers;
import dev.semel.query.value.ValueOrder;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.Value;

/** The value that a filter compares with, both as a value and as the bytes that comparing on bytes needs. */
final class Operand {
    private static final int AT = 6;

    private final Value value;
    private final Value key;
    private final Collation collation;
    private final byte[] bytes;
    private final byte type;
    private final int kind;
    private final boolean isNull;
    private final boolean isNumber;
    private final boolean isNaN;

    Operand(Value value, Collation collation) {
        this.value = value;
        this.collation = collation;
        this.key = collation.key(value);
        this.bytes = new BsonWriter(32).put("", key).finish().toBytes();
        this.type = bytes[4];
        this.kind = ValueOrder.kind(type);
        this.isNull = value.type() == BsonType.NULL;
        this.isNumber = value.type().isNumber();
        this.isNaN = Numbers.isNaN(value);
    }

    Value value() {
        return value;
    }

    /** What the values are compared by; the value itself without a collation. */
    Value key() {
        return key;
    }

    Collation collation() {
        return collation;
    }

    /** Order between kinds exists for sorting only; a filter compares within a kind, except with MinKey and MaxKey. */
    boolean test(Comparison comparison, byte otherType, byte[] other, int at) {
        if (otherType == ElementTest.MISSING) {
            return isNull ? comparison.allowsEqual() : beyondAll(comparison);
        }
        if (ValueOrder.kind(otherType) != kind) {
            return beyondAll(comparison);
        }
        if (isNumber && (isNaN || isNaN(otherType, other, at))) {
            return isNaN && comparison.allowsEqual() && isNaN(otherType, other, at);
        }
        return comparison.allows(compare(otherType, other, at));
    }

    /** Total order, for searching a sorted list. A missing value counts as null. */
    int order(byte otherType, byte[] other, int at) {
        if (otherType == ElementTest.MISSING) {
            return Integer.compare(ValueOrder.kind(BsonType.NULL), kind);
        }
        return compare(otherType, other, at);
    }

    private int compare(byte otherType, byte[] other, int at) {
        return collation.isSimple()
                ? ValueOrder.compare(otherType, other, at, type, bytes, AT)
                : ValueOrder.compare(collation.key(ElementCursor.decode(other, otherType, at)), key);
    }

    int order(Operand other) {
        return ValueOrder.compare(type, bytes, AT, other.type, other.bytes, AT);
    }

    private boolean beyondAll(Comparison comparison) {
        return switch (comparison) {
            case EQ -> false;
            case LT, LTE -> value.type() == BsonType.MAX_KEY;
            case GT, GTE -> value.type() == BsonType.MIN_KEY;
        };
    }

    private static boolean isNaN(byte type, byte[] bytes, int at) {
        return switch (type) {
            case 0x01 -> Double.isNaN(Double.longBitsToDouble(LittleEndian.int64(bytes, at)));
            case 0x13 -> Numbers.isNaN(ElementCursor.decode(bytes, type, at));
            default -> false;
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Operand that && value.equals(that.value) && collation.equals(that.collation);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value.toString();
    }
}

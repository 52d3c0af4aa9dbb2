package dev.semel.query.value;

import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The hash of a value in hashed indexes, the same as MongoDB's: the first eight bytes of an MD5 digest. Values that
 * compare equal have the same hash; numbers are hashed as integers, so that those with the same integer part collide.
 */
public final class ValueHash {
    private static final int SEED = 0;
    private static final int END_OF_DOCUMENT = 0;
    private static final BigDecimal LONG_MAX = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigDecimal LONG_MIN = BigDecimal.valueOf(Long.MIN_VALUE);

    private final MessageDigest digest;

    private ValueHash() {
        try {
            digest = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has MD5", e);
        }
    }

    public static long of(Value value) {
        ValueHash hash = new ValueHash();
        hash.add(SEED);
        RawDocument holder = new BsonWriter(64).put("", value).finish();
        ElementCursor at = holder.cursor();
        at.next();
        hash.add(at, false);
        return ByteBuffer.wrap(hash.digest.digest())
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
    }

    private void add(ElementCursor element, boolean named) {
        add(canonicalType(element.type()));
        if (named) {
            digest.update(element.nameText().toBytes());
            digest.update((byte) 0);
        }
        switch (element.value()) {
            case Value.Doc(RawDocument fields) -> add(fields);
            case Value.Array(RawDocument elements) -> add(elements);
            case Value.CodeWithScope(Text code, RawDocument scope) -> {
                digest.update(code.toBytes());
                digest.update((byte) 0);
                add(scope);
            }
            case Value.Int32(int number) -> add((long) number);
            case Value.Int64(long number) -> add(number);
            case Value.Double64(double number) -> add(integer(number));
            case Value.Decimal(Decimal128 number) -> add(integer(number));
            default -> digest.update(element.array(), element.valueStart(), element.valueEnd() - element.valueStart());
        }
    }

    private void add(RawDocument document) {
        for (ElementCursor at = document.cursor(); at.next(); ) {
            add(at, true);
        }
        add(END_OF_DOCUMENT);
    }

    private void add(int number) {
        digest.update(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, number));
    }

    private void add(long number) {
        digest.update(
                ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(0, number));
    }

    /** Towards zero and within the range of a long, but for 2^63 itself, which MongoDB takes for the lowest. */
    private static long integer(double number) {
        return number == 0x1p63 ? Long.MIN_VALUE : (long) number;
    }

    private static long integer(Decimal128 number) {
        if (number.isNaN()) {
            return 0;
        }
        if (!number.isFinite()) {
            return number.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        BigDecimal exact = number.toBigDecimal();
        if (exact.compareTo(LONG_MAX) > 0) {
            return exact.compareTo(LONG_MAX.add(BigDecimal.ONE)) == 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        BigInteger whole = exact.max(LONG_MIN).toBigInteger();
        return whole.longValueExact();
    }

    /** Types that compare with one another are one type. */
    private static int canonicalType(BsonType type) {
        return switch (type) {
            case MIN_KEY -> -1;
            case UNDEFINED -> 0;
            case NULL -> 5;
            case DOUBLE, INT32, INT64, DECIMAL128 -> 10;
            case STRING, SYMBOL -> 15;
            case DOCUMENT -> 20;
            case ARRAY -> 25;
            case BINARY -> 30;
            case OBJECT_ID -> 35;
            case BOOLEAN -> 40;
            case DATE -> 45;
            case TIMESTAMP -> 47;
            case REGEX -> 50;
            case DB_POINTER -> 55;
            case CODE -> 60;
            case CODE_WITH_SCOPE -> 65;
            case MAX_KEY -> 127;
        };
    }
}

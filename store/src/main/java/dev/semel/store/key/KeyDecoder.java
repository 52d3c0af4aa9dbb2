package dev.semel.store.key;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes values of a key again. A number is an equal one, of the narrowest type that is exact; a symbol
 * is a string; what was missing is null. A key that was cut or moved, as the ends of ranges are, need not be one any more:
 * then there is no value.
 */
public final class KeyDecoder {
    private final byte[] key;
    private int at;

    public KeyDecoder(byte[] key, int from) {
        this.key = key;
        this.at = from;
    }

    public boolean atEnd() {
        return at >= key.length;
    }

    /** The next value; null if what follows is none. Afterwards the decoder is of no more use. */
    public @Nullable Value next(boolean descending) {
        try {
            return value(descending ? 0xFF : 0);
        } catch (IndexOutOfBoundsException | IllegalArgumentException | ArithmeticException malformed) {
            return null;
        }
    }

    private int take(int flip) {
        return (key[at++] ^ flip) & 0xFF;
    }

    private long number(int bytes, int flip) {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number = number << 8 | take(flip);
        }
        return number;
    }

    private byte[] bytes(int count, int flip) {
        if (count < 0 || count > key.length - at) {
            throw new IllegalArgumentException("beyond the end of the key");
        }
        byte[] bytes = Arrays.copyOfRange(key, at, at + count);
        at += count;
        for (int i = 0; i < count; i++) {
            bytes[i] ^= (byte) flip;
        }
        return bytes;
    }

    private Value value(int flip) {
        int code = take(flip);
        if (code >= NumberKeys.NAN && code <= NumberKeys.POSITIVE_LARGE) {
            return numeric(code, flip);
        }
        return switch (code) {
            case 0x10 -> Value.MIN_KEY;
            case 0x18 -> Value.UNDEFINED;
            case 0x20 -> Value.NULL;
            case Codes.STRING -> new Value.Str(text(flip));
            case Codes.OBJECT -> Value.of(fields(flip).finish());
            case Codes.ARRAY -> array(flip);
            case Codes.BINARY -> {
                int length = (int) number(Integer.BYTES, flip);
                byte subtype = (byte) take(flip);
                yield new Value.Binary(subtype, bytes(length, flip));
            }
            case Codes.OBJECT_ID -> Value.of(objectId(flip));
            case Codes.FALSE -> new Value.Bool(false);
            case Codes.TRUE -> new Value.Bool(true);
            case Codes.DATE -> new Value.Date(number(Long.BYTES, flip) ^ Long.MIN_VALUE);
            case Codes.TIMESTAMP -> new Value.Timestamp(number(Long.BYTES, flip));
            case Codes.REGEX ->
                new Value.Regex(text(flip).toString(), text(flip).toString());
            case Codes.DB_POINTER -> {
                byte[] namespace = bytes((int) number(Integer.BYTES, flip), flip);
                yield new Value.DbPointer(new Text(namespace, 0, namespace.length), objectId(flip));
            }
            case Codes.CODE -> new Value.Code(text(flip));
            case Codes.CODE_WITH_SCOPE ->
                new Value.CodeWithScope(text(flip), fields(flip).finish());
            case 0xF0 -> Value.MAX_KEY;
            default -> throw new IllegalArgumentException("no code: " + code);
        };
    }

    private ObjectId objectId(int flip) {
        return new ObjectId((int) number(Integer.BYTES, flip), number(Long.BYTES, flip));
    }

    private Text text(int flip) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int one = take(flip); one != 0; one = take(flip)) {
            bytes.write(one == 1 ? take(flip) - 1 : one);
        }
        return new Text(bytes.toByteArray(), 0, bytes.size());
    }

    private BsonWriter fields(int flip) {
        BsonWriter out = new BsonWriter();
        // What kind of value follows is said twice.
        while (take(flip) != 0) {
            Text name = text(flip);
            out.put(name, value(flip));
        }
        return out;
    }

    private Value array(int flip) {
        BsonWriter out = new BsonWriter();
        while (((key[at] ^ flip) & 0xFF) != 0) {
            out.add(value(flip));
        }
        at++;
        return out.finishArray();
    }

    // ---- numbers

    private Value numeric(int code, int flip) {
        if (code == NumberKeys.NAN) {
            return new Value.Double64(Double.NaN);
        }
        if (code == NumberKeys.ZERO) {
            return Value.of(0);
        }
        boolean negative = code < NumberKeys.ZERO;
        int flipped = negative ? flip ^ 0xFF : flip;
        int count = negative ? NumberKeys.NEGATIVE_SMALL - code : code - NumberKeys.POSITIVE_SMALL;
        if (count <= 0 || count > Long.BYTES) {
            return tail(negative, flipped);
        }
        long body = number(count, flipped);
        if ((body & 1) != 0) {
            return tail(negative, flipped);
        }
        long whole = negative ? -(body >>> 1) : body >>> 1;
        return whole == (int) whole ? Value.of((int) whole) : Value.of(whole);
    }

    private Value tail(boolean negative, int flip) {
        double magnitude = Double.longBitsToDouble(number(Double.BYTES, flip));
        if (take(flip) == 0) {
            return new Value.Double64(negative ? -magnitude : magnitude);
        }
        int exponent = (int) number(2, flip) - NumberKeys.EXPONENT_BIAS;
        BigInteger digits = new BigInteger(1, bytes(NumberKeys.DIGITS_BYTES, flip));
        BigDecimal exact = new BigDecimal(digits, NumberKeys.DIGITS - 1 - exponent).stripTrailingZeros();
        return new Value.Decimal(Decimal128.of(negative ? exact.negate() : exact));
    }
}

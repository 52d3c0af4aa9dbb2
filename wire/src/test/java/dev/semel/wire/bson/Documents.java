package dev.semel.wire.bson;

import java.math.BigDecimal;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Random documents of every type, decided by the random numbers alone: the same seed makes the same documents. Field
 * names are few, so that filters and updates made the same way meet them; numbers and strings are near the values
 * where comparisons and encodings go wrong.
 */
public final class Documents {
    private static final List<String> NAMES = List.of("a", "b", "c", "d", "", "a b", "n1", "0", "1", "é", "名", "x_y");
    private static final List<String> STRINGS =
            List.of("", "a", "b", "ab", "A", "é", "名前", "\0", "a\0b", "\uD83D\uDE00", "\"\\/\b\f\n\r\t", "$a", "a.b");
    private static final long[] WHOLE = {
        0,
        1,
        -1,
        2,
        10,
        127,
        255,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 32,
        (1L << 53) - 1,
        1L << 53,
        (1L << 53) + 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };
    private static final double[] DOUBLES = {
        0.0,
        -0.0,
        0.5,
        -0.5,
        0.1,
        1.0,
        1e15,
        1e16,
        1e100,
        -1e300,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        0x1.0p53,
        0x1.0p63
    };
    private static final List<String> DECIMALS =
            List.of("0", "-0", "1", "1.0", "0.1", "1E+3", "NaN", "Infinity", "-Infinity", "9.99E+6144", "1E-6176");

    private static final byte[] SUBTYPES = {0, 1, 2, 3, 4, 5, 9, (byte) 0x80};

    private final RandomGenerator random;
    private final List<BsonType> types;

    private Documents(RandomGenerator random, List<BsonType> types) {
        this.random = random;
        this.types = types;
    }

    /** Values of every type there is. */
    public static Documents of(RandomGenerator random) {
        return new Documents(random, List.of(BsonType.values()));
    }

    /** Values of the types that applications store today. */
    public static Documents ofCurrentTypes(RandomGenerator random) {
        return new Documents(
                random,
                List.of(
                        BsonType.DOUBLE,
                        BsonType.STRING,
                        BsonType.DOCUMENT,
                        BsonType.ARRAY,
                        BsonType.BINARY,
                        BsonType.OBJECT_ID,
                        BsonType.BOOLEAN,
                        BsonType.DATE,
                        BsonType.NULL,
                        BsonType.INT32,
                        BsonType.TIMESTAMP,
                        BsonType.INT64,
                        BsonType.DECIMAL128));
    }

    /** A document that nests three levels deep at most. */
    public RawDocument document() {
        return document(3);
    }

    /** A document that nests this many levels deep at most, itself included. Names may repeat, as they may in BSON. */
    public RawDocument document(int depth) {
        BsonWriter out = new BsonWriter();
        for (int fields = random.nextInt(6); fields > 0; fields--) {
            out.put(name(), value(depth - 1));
        }
        return out.finish();
    }

    public Value.Array array(int depth) {
        BsonWriter out = new BsonWriter();
        for (int elements = random.nextInt(random.nextInt(8) == 0 ? 120 : 5); elements > 0; elements--) {
            out.add(value(depth - 1));
        }
        return out.finishArray();
    }

    public String name() {
        return pick(NAMES);
    }

    /** A value; documents and arrays only while {@code depth} is positive. */
    public Value value(int depth) {
        BsonType type = pick(types);
        return switch (type) {
            case DOUBLE -> Value.of(DOUBLES[random.nextInt(DOUBLES.length)]);
            case STRING -> new Value.Str(text());
            case DOCUMENT -> depth > 0 ? Value.of(document(depth)) : Value.of(RawDocument.EMPTY);
            case ARRAY -> depth > 0 ? array(depth) : new Value.Array(RawDocument.EMPTY);
            case BINARY -> binary();
            case UNDEFINED -> Value.UNDEFINED;
            case OBJECT_ID -> new Value.Oid(objectId());
            case BOOLEAN -> Value.of(random.nextBoolean());
            case DATE -> new Value.Date(random.nextBoolean() ? whole() : random.nextLong(4_000_000_000_000L));
            case NULL -> Value.NULL;
            case REGEX -> new Value.Regex(random.nextBoolean() ? "^a" : "b/\"", random.nextBoolean() ? "" : "im");
            case DB_POINTER -> new Value.DbPointer(text(), objectId());
            case CODE -> new Value.Code(text());
            case SYMBOL -> new Value.Symbol(text());
            case CODE_WITH_SCOPE -> new Value.CodeWithScope(text(), depth > 0 ? document(depth) : RawDocument.EMPTY);
            case INT32 -> Value.of((int) whole());
            case TIMESTAMP -> new Value.Timestamp(whole());
            case INT64 -> Value.of(whole());
            case DECIMAL128 -> new Value.Decimal(decimal());
            case MIN_KEY -> Value.MIN_KEY;
            case MAX_KEY -> Value.MAX_KEY;
        };
    }

    public ObjectId objectId() {
        return new ObjectId(random.nextInt(3), random.nextLong(-2, 3));
    }

    public Decimal128 decimal() {
        return random.nextInt(3) == 0
                ? Decimal128.of(BigDecimal.valueOf(random.nextLong(), random.nextInt(-40, 40)))
                : Decimal128.parse(pick(DECIMALS));
    }

    private long whole() {
        return random.nextInt(4) == 0 ? random.nextLong() : WHOLE[random.nextInt(WHOLE.length)];
    }

    private Text text() {
        return Text.of(random.nextInt(20) == 0 ? "long ".repeat(random.nextInt(100)) : pick(STRINGS));
    }

    private Value binary() {
        byte subtype = SUBTYPES[random.nextInt(SUBTYPES.length)];
        byte[] bytes = new byte[subtype == 4 ? 16 : 4 + random.nextInt(20)];
        random.nextBytes(bytes);
        if (subtype == 2) {
            LittleEndian.putInt32(bytes, 0, bytes.length - 4);
        }
        return new Value.Binary(subtype, bytes);
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}

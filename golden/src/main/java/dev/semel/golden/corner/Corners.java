package dev.semel.golden.corner;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;

/** Values and names at which code that expects others goes wrong. */
public final class Corners {
    public static final List<BsonValue> VALUES = List.of(
            BsonNull.VALUE,
            new BsonUndefined(),
            new BsonMinKey(),
            new BsonMaxKey(),
            new BsonInt32(0),
            new BsonInt32(-1),
            new BsonInt32(1),
            new BsonInt32(Integer.MAX_VALUE),
            new BsonInt32(Integer.MIN_VALUE),
            new BsonInt64(Long.MAX_VALUE),
            new BsonInt64(Long.MIN_VALUE),
            new BsonInt64(1L << 31),
            new BsonDouble(0.5),
            new BsonDouble(-0.0),
            new BsonDouble(Double.NaN),
            new BsonDouble(Double.POSITIVE_INFINITY),
            new BsonDouble(Double.NEGATIVE_INFINITY),
            new BsonDouble(Double.MAX_VALUE),
            new BsonDouble(Double.MIN_VALUE),
            new BsonDouble(0x1p32 + 0.5),
            new BsonDecimal128(Decimal128.NaN),
            new BsonDecimal128(Decimal128.NEGATIVE_INFINITY),
            new BsonDecimal128(Decimal128.parse("9.999999999999999999999999999999999E+6144")),
            new BsonDecimal128(Decimal128.parse("1E-6176")),
            new BsonString(""),
            new BsonString("$"),
            new BsonString("$$"),
            new BsonString("$$ROOT"),
            new BsonString("$a.b"),
            new BsonString("a..b"),
            new BsonString("a\0b"),
            new BsonString("x".repeat(5000)),
            new BsonString("a" + ".a".repeat(300)),
            new BsonString("\uD83D\uDE00é"),
            BsonBoolean.TRUE,
            BsonBoolean.FALSE,
            new BsonDocument(),
            new BsonDocument("$ref", new BsonInt32(1)).append("$id", new BsonInt32(1)),
            new BsonDocument("$literal", BsonNull.VALUE),
            new BsonArray(),
            new BsonDateTime(Long.MAX_VALUE),
            new BsonDateTime(Long.MIN_VALUE),
            new BsonTimestamp(-1),
            new BsonBinary((byte) 4, new byte[3]),
            new BsonRegularExpression("(", ""),
            new BsonRegularExpression("^a", "imsx"),
            new BsonObjectId(new ObjectId("ffffffffffffffffffffffff")),
            new BsonSymbol("a"),
            new BsonJavaScript("throw 1"),
            new BsonJavaScriptWithScope("throw 1", new BsonDocument()),
            nested(150));

    static final List<String> NAMES = List.of(
            "",
            "$",
            "$a",
            "$$a",
            ".",
            "a.",
            ".a",
            "a..b",
            "a.b",
            "a.0",
            "a.-1",
            "a.99999999999",
            "_id",
            "0",
            "\uD83D\uDE00",
            "x".repeat(300),
            "a" + ".a".repeat(300));

    private Corners() {}

    /** Less deep than what no server takes. */
    private static BsonValue nested(int depth) {
        BsonValue value = new BsonInt32(1);
        for (int i = 0; i < depth; i++) {
            value = i % 2 == 0 ? new BsonArray(List.of(value)) : new BsonDocument("a", value);
        }
        return value;
    }
}

package dev.semel.store.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What people are shown of a key is the value that was put into it. */
class KeyDecoderTest {
    private static final List<Value> VALUES = List.of(
            Value.MIN_KEY,
            Value.NULL,
            new Value.Double64(Double.NaN),
            new Value.Double64(Double.NEGATIVE_INFINITY),
            new Value.Double64(-1e300),
            Value.of(Long.MIN_VALUE + 1),
            Value.of(-70_000),
            Value.of(-1),
            new Value.Double64(-0.25),
            Value.of(0),
            new Value.Double64(1e-300),
            Value.of(1),
            Value.of(255),
            new Value.Double64(3.5),
            new Value.Decimal(Decimal128.parse("0.1")),
            new Value.Decimal(Decimal128.parse("-123456789.000000000000000001")),
            Value.of(Integer.MAX_VALUE),
            Value.of(1L << 40),
            Value.of(Long.MAX_VALUE),
            new Value.Double64(Double.POSITIVE_INFINITY),
            Value.of(""),
            Value.of("text with \u0000, \u0001 and \u00fc"),
            Value.of(new BsonWriter().put("a", 1).put("b", "x").finish()),
            new BsonWriter().add(Value.of(1)).add("two").finishArray(),
            new Value.Binary((byte) 4, new byte[] {0, 1, 2, (byte) 0xFF}),
            Value.of(new ObjectId(-5, 77L)),
            new Value.Bool(false),
            new Value.Bool(true),
            new Value.Date(-1),
            new Value.Timestamp(5L << 32 | 7),
            new Value.Regex("^a", "i"),
            new Value.Code(Text.of("x")),
            Value.MAX_KEY);

    @Test
    void everyValueComesBackFromItsKey() {
        for (Value value : VALUES) {
            for (boolean descending : new boolean[] {false, true}) {
                byte[] key = new KeyWriter().prefix(5).put(value, descending).toKey();
                KeyDecoder decoder = new KeyDecoder(key, 4);
                Value decoded = Objects.requireNonNull(decoder.next(descending), () -> "no value: " + value);
                assertThat(decoder.atEnd()).as("%s", value).isTrue();
                assertThat(new KeyWriter().prefix(5).put(decoded, descending).toKey())
                        .as("%s", value)
                        .isEqualTo(key);
            }
        }
    }

    @Test
    void whatWasCutIsNoValue() {
        for (Value value : VALUES) {
            byte[] key = KeyWriter.keyOf(value);
            for (int length = 0; length < key.length; length++) {
                assertThat(new KeyDecoder(Arrays.copyOf(key, length), 0).next(false))
                        .as("%s, %d bytes", value, length)
                        .isNull();
            }
        }
    }
}

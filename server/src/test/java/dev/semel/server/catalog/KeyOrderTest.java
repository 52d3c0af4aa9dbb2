package dev.semel.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.golden.Seeds;
import dev.semel.query.value.ValueOrder;
import dev.semel.store.key.KeyReader;
import dev.semel.store.key.KeyWriter;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Holds the order of values and the order of their keys together. */
class KeyOrderTest {
    private static final String[] DECIMALS = {
        "0.1",
        "0.3",
        "-0.1",
        "1.1",
        "9.9",
        "1E-6176",
        "-1E-6176",
        "9.999999999999999999999999999999999E+6144",
        "1E+6111",
        "-9.999999999999999999999999999999999E+6144",
        "9223372036854775807",
        "9223372036854775808",
        "9223372036854775807.5",
        "-9223372036854775808",
        "-9223372036854775808.5",
        "9007199254740993",
        "9007199254740993.5",
        "1E-400",
        "1E+400",
        "1.797693134862315708145274237317043E+308",
        "1.797693134862315807E+308",
        "4.9E-324",
        "5E-324",
        "0",
        "-0",
        "0E+10",
        "NaN",
        "Infinity",
        "-Infinity",
        "1.00",
        "100",
        "1E+2",
        "0.5",
        "2.5",
        "-2.5",
        "1.000000000000000000000000000000001"
    };
    private static final long[] LONGS = {
        0,
        1,
        -1,
        127,
        128,
        255,
        256,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 53,
        (1L << 53) + 1,
        -(1L << 53) - 1,
        Long.MAX_VALUE,
        Long.MAX_VALUE - 1,
        Long.MIN_VALUE,
        Long.MIN_VALUE + 1
    };
    private static final double[] DOUBLES = {
        0.0,
        -0.0,
        0.1,
        -0.1,
        0.5,
        1.5,
        -1.5,
        1e-310,
        Double.MIN_VALUE,
        -Double.MIN_VALUE,
        Double.MAX_VALUE,
        -Double.MAX_VALUE,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        0x1p53,
        0x1p63,
        -0x1p63,
        0x1p62,
        1e18,
        1e19
    };

    @Test
    void keysSortAsValuesDo() {
        Seeds.check(20, random -> {
            List<Value> values = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                values.add(value(random, 3));
            }
            for (Value a : values) {
                for (Value b : values) {
                    requireSameOrder(a, b);
                }
            }
        });
    }

    @Test
    void numbersOfAllTypesShareOneExactOrder() {
        List<Value> numbers = new ArrayList<>();
        for (String each : DECIMALS) {
            numbers.add(new Value.Decimal(Decimal128.parse(each)));
        }
        for (double each : DOUBLES) {
            numbers.add(Value.of(each));
            numbers.add(Value.of(Math.nextUp(each)));
            numbers.add(Value.of(Math.nextDown(each)));
        }
        for (long each : LONGS) {
            numbers.add(Value.of(each));
            numbers.add(Value.of((int) each));
        }
        for (Value a : numbers) {
            for (Value b : numbers) {
                requireSameOrder(a, b);
            }
        }
    }

    private static void requireSameOrder(Value a, Value b) {
        byte[] keyA = KeyWriter.keyOf(a);
        byte[] keyB = KeyWriter.keyOf(b);
        int expected = Integer.signum(ValueOrder.compare(a, b));
        assertThat(Integer.signum(Arrays.compareUnsigned(keyA, keyB)))
                .describedAs("%s and %s", a, b)
                .isEqualTo(expected);
        byte[] downA = new KeyWriter().put(a, true).toKey();
        byte[] downB = new KeyWriter().put(b, true).toKey();
        assertThat(Integer.signum(Arrays.compareUnsigned(downB, downA)))
                .describedAs("descending, %s and %s", a, b)
                .isEqualTo(expected);
    }

    @Test
    void everyValueOfAKeyCanBeSkipped() {
        Seeds.check(200, random -> {
            KeyWriter key = new KeyWriter().prefix(7);
            List<Integer> ends = new ArrayList<>();
            List<Boolean> directions = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                boolean descending = random.nextBoolean();
                ends.add(key.put(value(random, 3), descending).length());
                directions.add(descending);
            }
            byte[] bytes = key.toKey();
            int at = 4;
            for (int i = 0; i < ends.size(); i++) {
                at = KeyReader.end(bytes, at, directions.get(i));
                assertThat(at).isEqualTo(ends.get(i));
            }
        });
    }

    @Test
    void elementsHaveTheKeysOfTheirValues() {
        Seeds.check(200, random -> {
            Value value = value(random, 3);
            RawDocument document = new BsonWriter().put("f", value).finish();
            var at = document.cursor();
            assertThat(at.next()).isTrue();
            byte type = at.array()[at.elementStart()];
            byte[] raw = new KeyWriter()
                    .put(type, at.array(), at.valueStart(), false)
                    .toKey();
            assertThat(raw).isEqualTo(KeyWriter.keyOf(value));
        });
    }

    @Test
    void keysBeyondTheLimitAreRefused() {
        Value large = Value.of("x".repeat(KeyWriter.BYTES_MAX));
        assertThatThrownBy(() -> KeyWriter.keyOf(large))
                .isInstanceOfSatisfying(
                        CommandException.class,
                        e -> assertThat(e.code().number()).isEqualTo(17280));
    }

    @Test
    void smallNumbersTakeTwoBytes() {
        assertThat(KeyWriter.keyOf(Value.of(7))).containsExactly(0x35, 14);
        assertThat(KeyWriter.keyOf(Value.of(-7))).containsExactly(0x31, ~14);
    }

    private static Value value(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 17 : 21)) {
            case 0 -> Value.of(random.nextInt(5) - 2);
            case 1 -> Value.of(LONGS[random.nextInt(LONGS.length)]);
            case 2 -> Value.of(DOUBLES[random.nextInt(DOUBLES.length)]);
            case 3 -> new Value.Decimal(Decimal128.parse(DECIMALS[random.nextInt(DECIMALS.length)]));
            case 4 -> Value.of(text(random));
            case 5 -> new Value.Symbol(Text.of(text(random)));
            case 6 ->
                new Value.Binary(
                        (byte) random.nextInt(3), text(random).getBytes(java.nio.charset.StandardCharsets.UTF_8));
            case 7 -> Value.of(new ObjectId(random.nextInt(), random.nextLong()));
            case 8 -> Value.of(random.nextBoolean());
            case 9 -> new Value.Date(random.nextLong());
            case 10 -> new Value.Timestamp(random.nextLong());
            case 11 -> new Value.Regex(regex(random), random.nextBoolean() ? "i" : "");
            case 12 -> new Value.DbPointer(Text.of(text(random)), new ObjectId(random.nextInt(3), 1));
            case 13 -> new Value.Code(Text.of(text(random)));
            case 14 -> new Value.CodeWithScope(Text.of(text(random)), fields(random, 0));
            case 15 -> Value.of(random.nextDouble() * 1e6 - 5e5);
            case 16 -> new Value[] {Value.NULL, Value.MIN_KEY, Value.MAX_KEY, Value.UNDEFINED}[random.nextInt(4)];
            case 17, 18 -> Value.of(fields(random, depth - 1));
            default -> new Value.Array(fields(random, depth - 1));
        };
    }

    private static RawDocument fields(Random random, int depth) {
        BsonWriter out = new BsonWriter();
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            out.put("ab\u00e4".substring(0, 1 + random.nextInt(3)), value(random, depth));
        }
        return out.finish();
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(5);
        for (int i = 0; i < length; i++) {
            text.append("\u0000\u0001\u0002ab\u00e9\ud83d\ude00".charAt(random.nextInt(6)));
        }
        return text.toString();
    }

    private static String regex(Random random) {
        return text(random).replace("\u0000", "x");
    }
}

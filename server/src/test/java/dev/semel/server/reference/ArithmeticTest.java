package dev.semel.server.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.bson.BsonArray;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
import org.junit.jupiter.api.Test;

/** Sums, differences and products of numbers of all types, near the limits of each: in expressions, and in updates. */
class ArithmeticTest {
    private static final int[] INTS = {0, 1, -1, 7, 46_341, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE - 1
    };
    private static final long[] LONGS = {
        0,
        1,
        -3,
        1L << 31,
        -(1L << 31) - 1,
        3_037_000_500L,
        (1L << 53) + 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        Long.MAX_VALUE - 1
    };
    private static final double[] DOUBLES = {
        0, 0.5, -2.25, 0.1, 1e15, 1e300, -1e-300, Double.NaN, 9_007_199_254_740_992.0
    };
    private static final String[] DECIMALS = {
        "0", "1", "-0.5", "0.1", "1E+30", "123456789012345678901234567890.1234", "NaN"
    };

    @Test
    void resultsHaveTheWiderTypeAndTheExactValue() throws IOException {
        try (Engine engine = new Engine()) {
            Seeds.check(150, random -> {
                BsonDocument document = new BsonDocument("_id", new BsonInt32(1))
                        .append("a", number(random))
                        .append("b", number(random));
                engine.fill("c", List.of(document));
                for (Arithmetic each : Arithmetic.values()) {
                    checkExpression(engine, each, document);
                }
                checkUpdate(engine, "$inc", Arithmetic.ADD, document);
                engine.fill("c", List.of(document));
                checkUpdate(engine, "$mul", Arithmetic.MULTIPLY, document);
            });
        }
    }

    private static void checkExpression(Engine engine, Arithmetic operation, BsonDocument document) {
        String name = switch (operation) {
            case ADD -> "$add";
            case SUBTRACT -> "$subtract";
            case MULTIPLY -> "$multiply";
        };
        BsonDocument call = new BsonDocument(name, new BsonArray(List.of(new BsonString("$a"), new BsonString("$b"))));
        BsonDocument project = new BsonDocument("$project", new BsonDocument("r", call));
        BsonValue found = Fields.of(engine.aggregate("c", List.of(project)).getFirst(), "r");
        BsonValue expected = operation.of(Fields.of(document, "a"), Fields.of(document, "b"), true);
        assertThat(Texts.of(found)).describedAs("%s of %s", name, document).isEqualTo(Texts.of(expected));
    }

    /** A long that overflows is an error, and nothing changes. */
    private static void checkUpdate(Engine engine, String name, Arithmetic operation, BsonDocument document) {
        BsonValue expected;
        try {
            expected = operation.of(Fields.of(document, "a"), Fields.of(document, "b"), false);
        } catch (Refused refused) {
            expected = Fields.of(document, "a");
        }
        engine.update(
                "c",
                new BsonDocument("_id", Fields.of(document, "_id")),
                new BsonDocument(name, new BsonDocument("a", Fields.of(document, "b"))),
                List.of());
        BsonValue found = Fields.of(engine.find("c", new BsonDocument(), false).getFirst(), "a");
        assertThat(Texts.of(found)).describedAs("%s of %s", name, document).isEqualTo(Texts.of(expected));
    }

    private static BsonValue number(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> new BsonInt32(INTS[random.nextInt(INTS.length)]);
            case 1 -> new BsonInt64(LONGS[random.nextInt(LONGS.length)]);
            case 2 -> new BsonDouble(DOUBLES[random.nextInt(DOUBLES.length)]);
            default -> new BsonDecimal128(Decimal128.parse(DECIMALS[random.nextInt(DECIMALS.length)]));
        };
    }
}

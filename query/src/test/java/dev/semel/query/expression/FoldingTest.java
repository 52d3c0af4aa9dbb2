package dev.semel.query.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FoldingTest {
    private static final List<String> CONSTANTS =
            List.of("0", "1", "2.5", "null", "true", "\"a\"", "[1, 2]", "[]", "{\"$literal\": {\"x\": 1}}");

    private static final List<String> UNARY =
            List.of("$abs", "$not", "$size", "$toUpper", "$isArray", "$type", "$toInt", "$first", "$sqrt", "$sum");

    private static final List<String> BINARY = List.of(
            "$add", "$subtract", "$divide", "$mod", "$eq", "$lt", "$and", "$or", "$ifNull", "$concatArrays", "$in");

    /** A constant that is computed while parsing must be what computing it from a document gives, failures included. */
    @Test
    void constantsComputeAsFieldsDo() {
        Seeds.check(500, random -> {
            BsonWriter fields = new BsonWriter();
            String[] both = expression(random, 3, fields);
            String folded = outcome(both[0], RawDocument.EMPTY);
            assertThat(outcome(both[1], fields.finish()))
                    .as("%s as %s", both[0], both[1])
                    .isEqualTo(folded);
        });
    }

    /** The same expression of constants, and of fields that have them as their values. */
    private static String[] expression(Random random, int depth, BsonWriter fields) {
        int shape = depth == 0 ? 0 : random.nextInt(5);
        if (shape == 0) {
            String constant = CONSTANTS.get(random.nextInt(CONSTANTS.size()));
            String name = "f" + fields.length();
            fields.put(name, valueOf(constant));
            return new String[] {constant, "\"$" + name + "\""};
        }
        String[] a = expression(random, depth - 1, fields);
        if (shape == 1) {
            return both("{\"" + UNARY.get(random.nextInt(UNARY.size())) + "\": [%s]}", a);
        }
        String[] b = expression(random, depth - 1, fields);
        if (shape < 4) {
            return both("{\"" + BINARY.get(random.nextInt(BINARY.size())) + "\": [%s, %s]}", a, b);
        }
        return both("{\"$cond\": [%s, %s, %s]}", a, b, expression(random, depth - 1, fields));
    }

    private static Value valueOf(String constant) {
        Value value = Expressions.evaluate(
                Expressions.parse(Json.parseValue(constant), Scope.EMPTY), new Environment(0, null, new Random(0)));
        return value == null ? Value.NULL : value;
    }

    private static String[] both(String format, String[]... parts) {
        Object[] constants = new Object[parts.length];
        Object[] fields = new Object[parts.length];
        for (int i = 0; i < parts.length; i++) {
            constants[i] = parts[i][0];
            fields[i] = parts[i][1];
        }
        return new String[] {format.formatted(constants), format.formatted(fields)};
    }

    private static String outcome(String expression, RawDocument document) {
        try {
            Value value = Expressions.evaluate(
                    Expressions.parse(Json.parseValue(expression), Scope.EMPTY),
                    new Environment(0, null, new Random(0)),
                    document);
            return value == null ? "missing" : Json.canonical(value);
        } catch (CommandException e) {
            return "error " + e.code().number();
        }
    }
}

package dev.semel.query.expression;

import dev.semel.golden.GoldenScripts;
import dev.semel.golden.corner.CornerScripts;
import dev.semel.query.Shorthand;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What each function computes. {@code doc {...}} sets the document for what follows; any other input is an expression,
 * answered with the type and the value.
 */
final class ExpressionScriptsTest {
    @TestFactory
    Stream<DynamicTest> scripts() {
        return GoldenScripts.named("expression").run(Interpreter::new);
    }

    @TestFactory
    Stream<DynamicTest> corners() {
        return CornerScripts.run(GoldenScripts.named("expression"), Interpreter::new, "doc ");
    }

    private static final class Interpreter implements Function<String, String> {
        private RawDocument document = RawDocument.EMPTY;

        @Override
        public String apply(String input) {
            if (input.startsWith("doc ")) {
                document = Json.parse(input.substring(4));
                return "ok";
            }
            try {
                Value parsed = Json.parseValue(input);
                var environment = Shorthand.environment();
                Value value = Expressions.evaluate(Expressions.parse(parsed, Scope.EMPTY), environment, document);
                return value == null ? "missing" : value.type() + " " + Json.relaxed(value);
            } catch (CommandException e) {
                return "error " + e.code().number() + ": " + e.text();
            }
        }
    }
}

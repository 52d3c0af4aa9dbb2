package dev.semel.query;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.script.ScriptEngine;
import dev.semel.query.script.ScriptLimits;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Random;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Extended JSON as one writes it in scripts: names without quotes, single quotes as good as double ones. */
public final class Shorthand {
    private static final Pattern BARE_NAME = Pattern.compile("([{,]\\s*)([A-Za-z_$][\\w.$\\[\\]]*)\\s*:");

    private Shorthand() {}

    public static RawDocument document(String text) {
        return Json.parse(quoted(text));
    }

    public static Value value(String text) {
        return Json.parseValue(quoted(text));
    }

    private static String quoted(String text) {
        return BARE_NAME.matcher(text.replace('\'', '"')).replaceAll("$1\"$2\":");
    }

    /** A scope whose time and chance are always the same. */
    public static FilterScope scope() {
        return new FilterScope(environment());
    }

    /** An environment whose time and chance are always the same, with JavaScript whose {@code sleep} takes no time. */
    public static Environment environment() {
        return new Environment(
                1_700_000_000_000L,
                new Value.Timestamp(7, 1),
                new Random(1),
                () -> {},
                ms -> {},
                bytes -> {},
                QueryMemory.unlimited(),
                scripts());
    }

    /** JavaScript with 32 MB and 50 million instructions for each call. */
    public static ScriptEngine scripts() {
        return new ScriptEngine(
                new ScriptLimits(() -> 50_000_000, () -> 32 << 20, "bytesMax"),
                () -> ObjectId.parse("65a000000000000000000001"));
    }

    /** What is answered, or the error with its number. */
    public static String answer(Supplier<String> work) {
        try {
            return work.get();
        } catch (CommandException e) {
            return "error %d %s: %s".formatted(e.code().number(), e.code().codeName(), e.text());
        }
    }
}

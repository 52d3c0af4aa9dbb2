package dev.semel.cli.transfer;

import dev.semel.golden.GoldenScripts;
import dev.semel.wire.bson.Json;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Which documents are in a JSON file, and on which lines. The first line of an input is {@code plain} or a root field. */
class JsonScriptTest {
    @TestFactory
    Stream<DynamicTest> scripts() {
        return GoldenScripts.named("transfer/json").run(() -> (Function<String, String>) JsonScriptTest::interpret);
    }

    private static String interpret(String input) {
        int end = input.indexOf('\n');
        var first = input.substring(0, end);
        var file = new StringReader(input.substring(end + 1));
        try (var items = new JsonItems(file, first.equals("plain") ? null : first)) {
            return ItemsText.of(items, Json::relaxed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

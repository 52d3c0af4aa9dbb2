package dev.semel.cli.transfer;

import dev.semel.golden.GoldenScripts;
import dev.semel.wire.bson.Json;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What the rows of a CSV file become. The first line of an input is {@code plain}, or options; the others are the file. */
class CsvScriptTest {
    @TestFactory
    Stream<DynamicTest> scripts() {
        return GoldenScripts.named("transfer/csv").run(() -> (Function<String, String>) CsvScriptTest::interpret);
    }

    private static String interpret(String input) {
        int end = input.indexOf('\n');
        var options = Arrays.asList(input.substring(0, end).split(" ", -1));
        var file = new StringReader(input.substring(end + 1));
        try (var items = CsvItems.open(
                file,
                ',',
                null,
                names -> new Columns(names, options.contains("columnsHaveTypes"), options.contains("ignoreBlanks")))) {
            return ItemsText.of(items, Json::canonical);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

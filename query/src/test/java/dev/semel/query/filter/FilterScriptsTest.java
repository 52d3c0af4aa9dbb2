package dev.semel.query.filter;

import dev.semel.golden.GoldenScripts;
import dev.semel.golden.corner.CornerScripts;
import dev.semel.query.Shorthand;
import dev.semel.wire.bson.JsonException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The first line is a filter, each further one a document that it matches or not. */
final class FilterScriptsTest {
    @TestFactory
    Stream<DynamicTest> filters() {
        return GoldenScripts.named("filter").run(() -> FilterScriptsTest::run);
    }

    @TestFactory
    Stream<DynamicTest> corners() {
        return CornerScripts.run(GoldenScripts.named("filter"), FilterScriptsTest::runIfReadable);
    }

    /** Not each string can be written in shorthand. */
    private static String runIfReadable(String input) {
        try {
            return run(input);
        } catch (JsonException e) {
            return "unreadable: " + e.getMessage();
        }
    }

    private static String run(String input) {
        var lines = input.lines().toList();
        return Shorthand.answer(() -> {
            Filter filter = Filters.parse(Shorthand.document(lines.getFirst()), Shorthand.scope());
            return lines.stream()
                    .skip(1)
                    .map(Shorthand::document)
                    .map(document -> Boolean.toString(filter.matches(document)))
                    .collect(Collectors.joining(" "));
        });
    }
}

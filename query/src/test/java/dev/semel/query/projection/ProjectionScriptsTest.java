package dev.semel.query.projection;

import dev.semel.golden.GoldenScripts;
import dev.semel.query.Shorthand;
import dev.semel.query.filter.Filters;
import dev.semel.wire.bson.Json;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The first line is a projection, the others documents; before them may stand {@code filter} and what found them. */
final class ProjectionScriptsTest {
    @TestFactory
    Stream<DynamicTest> projections() {
        return GoldenScripts.named("projection").run(() -> ProjectionScriptsTest::run);
    }

    private static String run(String input) {
        var lines = input.lines().toList();
        return Shorthand.answer(() -> {
            var filter = lines.stream()
                    .filter(line -> line.startsWith("filter "))
                    .map(line ->
                            Filters.parse(Shorthand.document(line.substring("filter ".length())), Shorthand.scope()))
                    .findFirst()
                    .orElse(Filters.ALL);
            var projection = Projection.parse(Shorthand.document(lines.getFirst()), filter, Shorthand.scope());
            return lines.stream()
                    .skip(1)
                    .filter(line -> !line.startsWith("filter "))
                    .map(line -> Json.relaxed(projection.apply(Shorthand.document(line))))
                    .collect(Collectors.joining("\n"));
        });
    }
}

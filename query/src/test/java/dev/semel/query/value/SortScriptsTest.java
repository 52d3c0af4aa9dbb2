package dev.semel.query.value;

import dev.semel.golden.GoldenScripts;
import dev.semel.query.Shorthand;
import dev.semel.wire.bson.Json;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The first line is a sort pattern, the others documents, which are answered in order. */
final class SortScriptsTest {
    @TestFactory
    Stream<DynamicTest> sorts() {
        return GoldenScripts.named("sort").run(() -> SortScriptsTest::run);
    }

    private static String run(String input) {
        var lines = input.lines().toList();
        return Shorthand.answer(() -> {
            var order = new SortOrder(SortPattern.parse(Shorthand.document(lines.getFirst()), Collation.SIMPLE));
            return lines.stream()
                    .skip(1)
                    .map(Shorthand::document)
                    .sorted(order)
                    .map(Json::relaxed)
                    .collect(Collectors.joining("\n"));
        });
    }
}

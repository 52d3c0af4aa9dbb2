package dev.semel.query.filter;

import dev.semel.golden.GoldenScripts;
import dev.semel.golden.corner.CornerScripts;
import dev.semel.query.Shorthand;
import dev.semel.wire.bson.JsonException;
import dev.semel.wire.bson.RawDocument;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The first line is a filter, each further one a document, and the output why the document does not match the filter. */
final class MismatchScriptsTest {
    @TestFactory
    Stream<DynamicTest> mismatches() {
        return GoldenScripts.named("mismatch").run(() -> MismatchScriptsTest::run);
    }

    @TestFactory
    Stream<DynamicTest> corners() {
        return CornerScripts.run(GoldenScripts.named("mismatch"), MismatchScriptsTest::runIfReadable);
    }

    /** Whatever a filter of another script does not match has an explanation. */
    @TestFactory
    Stream<DynamicTest> filters() {
        return CornerScripts.run(GoldenScripts.named("filter"), MismatchScriptsTest::runIfReadable);
    }

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
            RawDocument specification = Shorthand.document(lines.getFirst());
            Filter filter = Filters.parseStored(specification, Shorthand.scope());
            return lines.stream()
                    .skip(1)
                    .map(Shorthand::document)
                    .map(document -> answer(filter, specification, document))
                    .collect(Collectors.joining("\n"));
        });
    }

    private static String answer(Filter filter, RawDocument specification, RawDocument document) {
        if (Shorthand.answer(() -> Boolean.toString(filter.matches(document))).equals("true")) {
            return "matches";
        }
        return Mismatch.explain(filter, specification, document).toString();
    }
}

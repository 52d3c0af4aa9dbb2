package dev.semel.query.update;

import dev.semel.golden.GoldenScripts;
import dev.semel.golden.corner.CornerScripts;
import dev.semel.query.Shorthand;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The first line is an update, the second a document or, to upsert, {@code upsert}. Then may follow {@code filter} and
 * {@code arrayFilters}.
 */
final class UpdateScriptsTest {
    static UpdateScope scope() {
        var given = new AtomicInteger();
        return new UpdateScope(
                Shorthand.scope(),
                new Value.Date(1_700_000_000_000L),
                () -> new Value.Timestamp(1_700_000_000, given.incrementAndGet()),
                false);
    }

    @TestFactory
    Stream<DynamicTest> updates() {
        return GoldenScripts.named("update").run(() -> UpdateScriptsTest::run);
    }

    @TestFactory
    Stream<DynamicTest> corners() {
        return CornerScripts.run(GoldenScripts.named("update"), UpdateScriptsTest::run);
    }

    private static String run(String input) {
        var lines = input.lines().toList();
        return Shorthand.answer(() -> {
            Filter filter = Filters.ALL;
            List<RawDocument> arrayFilters = new ArrayList<>();
            for (String line : lines.subList(2, lines.size())) {
                if (line.startsWith("filter ")) {
                    filter = Filters.parse(Shorthand.document(line.substring("filter ".length())), Shorthand.scope());
                } else {
                    arrayFilters.add(Shorthand.document(line.substring("arrayFilter ".length())));
                }
            }
            Update update = Updates.parse(Shorthand.value(lines.getFirst()), arrayFilters, scope());
            if (lines.get(1).equals("upsert")) {
                return Json.relaxed(update.upsert(filter, Value.of("generated")));
            }
            RawDocument before = Shorthand.document(lines.get(1));
            RawDocument after = update.apply(before, filter).document();
            return after.equals(before) ? "unchanged" : Json.relaxed(after);
        });
    }
}

package dev.semel.server.plan;

import dev.semel.golden.GoldenScripts;
import dev.semel.query.value.Collation;
import dev.semel.server.catalog.Collection;
import dev.semel.server.catalog.Stored;
import dev.semel.store.Snapshot;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Which plan is chosen, as {@code explain} shows it, and what running it looks at. */
class ExplainScriptsTest {
    private static final Namespace NAMESPACE = new Namespace("d", "c");

    @TestFactory
    Stream<DynamicTest> plans() {
        return GoldenScripts.named("plan").run(Interpreter::new);
    }

    /** {@code insert {..}}, {@code index {..}}, {@code find {filter: .., sort: ..}}, {@code count {..}}. */
    private static final class Interpreter implements Function<String, String>, AutoCloseable {
        private final Stored stored = Stored.inMemory();

        @Override
        public String apply(String line) {
            int space = line.indexOf(' ');
            String text = line.substring(space + 1);
            return switch (line.substring(0, space)) {
                case "insert" -> {
                    stored.insert(NAMESPACE, Stored.json(text));
                    yield "";
                }
                case "index" -> {
                    stored.createIndexes(NAMESPACE, text);
                    yield "";
                }
                case "find" -> explain(query(Stored.json(text)));
                case "count" ->
                    explain(Query.of(stored.filter(Stored.json(text))).withoutDocuments());
                default -> throw new IllegalArgumentException(line);
            };
        }

        private Query query(RawDocument find) {
            RawDocument none = RawDocument.EMPTY;
            return Query.of(stored.filter(document(find, "filter", none)))
                    .sortedBy(document(find, "sort", none), Collation.SIMPLE)
                    .window(number(find, "skip"), number(find, "limit"))
                    .projected(document(find, "projection", none))
                    .between(document(find, "min", none), document(find, "max", none))
                    .hinted(find.get("hint"));
        }

        private static RawDocument document(RawDocument in, String field, RawDocument otherwise) {
            return in.get(field) instanceof Value.Doc(RawDocument found) ? found : otherwise;
        }

        private static long number(RawDocument in, String field) {
            return in.get(field) instanceof Value.Int32(int found) ? found : 0;
        }

        private String explain(Query query) {
            try (Snapshot snapshot = stored.transactions().snapshot()) {
                Collection collection = stored.catalog().require(NAMESPACE, snapshot);
                Decision decision = new Planner().explain(collection, query, snapshot, Interruption.unlimited());
                BsonWriter out = new BsonWriter();
                Explain.queryPlanner(out, NAMESPACE, query, decision, false, 0);
                RawDocument shown = document(out.finish(), "queryPlanner", RawDocument.EMPTY);
                try (Run run = decision.open(snapshot, Interruption.unlimited())) {
                    long returned = 0;
                    while (run.next()) {
                        returned++;
                    }
                    return Json.relaxed(document(shown, "winningPlan", RawDocument.EMPTY))
                            + "\nreturned " + returned + ", keys " + run.keysExamined() + ", documents "
                            + run.documentsExamined();
                }
            }
        }

        @Override
        public void close() {
            stored.close();
        }
    }
}

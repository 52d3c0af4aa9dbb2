package dev.semel.query.pipeline;

import dev.semel.golden.GoldenScripts;
import dev.semel.golden.corner.CornerScripts;
import dev.semel.query.expression.Environment;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.filter.FilterScope;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What each stage makes of documents. {@code docs [...]} sets the documents, {@code update [...]} runs a pipeline as an
 * update of the first one, {@code plan [...]} names the stages that are left after optimizing and the fields they read;
 * any other input is a pipeline.
 */
final class PipelineScriptsTest {
    @TestFactory
    Stream<DynamicTest> scripts() {
        return GoldenScripts.named("pipeline").run(Interpreter::new);
    }

    @TestFactory
    Stream<DynamicTest> corners() {
        return CornerScripts.run(GoldenScripts.named("pipeline"), Interpreter::new, "docs ");
    }

    private static final class Interpreter implements Function<String, String> {
        private List<RawDocument> documents = List.of();
        private final QueryMemory memory = new QueryMemory(
                MemoryAccount.unlimited().part("queries", "", () -> Long.MAX_VALUE), () -> 10_000, null);

        @Override
        public String apply(String input) {
            try {
                if (input.startsWith("docs ")) {
                    documents = documents(input.substring(5));
                    return "ok";
                }
                var scope = new FilterScope(
                        new Environment(1_700_000_000_000L, null, new Random(1), () -> {}, null, memory));
                if (input.startsWith("update ")) {
                    return Json.relaxed(Pipelines.parseUpdate(documents(input.substring(7)), scope)
                            .apply(documents.getFirst()));
                }
                if (input.startsWith("plan ")) {
                    return plan(Pipelines.parse(documents(input.substring(5)), scope));
                }
                return run(Pipelines.parse(documents(input), scope));
            } catch (CommandException e) {
                return "error " + e.code().number() + ": " + e.text();
            }
        }

        private static List<RawDocument> documents(String array) {
            List<RawDocument> documents = new ArrayList<>();
            if (Json.parseValue(array) instanceof Value.Array(RawDocument elements)) {
                for (Element element : elements) {
                    if (element.value() instanceof Value.Doc(RawDocument document)) {
                        documents.add(document);
                    }
                }
            }
            return documents;
        }

        private String run(Pipeline pipeline) {
            List<String> lines = new ArrayList<>();
            try (Source results = pipeline.open(Source.of(documents), false)) {
                for (RawDocument next = results.next(); next != null; next = results.next()) {
                    lines.add(Json.relaxed(next));
                }
            }
            return lines.isEmpty() ? "nothing" : String.join("\n", lines);
        }

        private static String plan(Pipeline pipeline) {
            String stages = pipeline.stages().stream()
                    .map(stage -> stage instanceof Sort sort && sort.limit() != Sort.UNLIMITED
                            ? "Sort(" + sort.limit() + ")"
                            : stage.getClass().getSimpleName())
                    .collect(Collectors.joining(" "));
            var fields = pipeline.fields();
            return stages + " reading " + (fields.isWhole() ? "all" : fields.names());
        }
    }
}

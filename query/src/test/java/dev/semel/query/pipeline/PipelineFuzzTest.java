package dev.semel.query.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.semel.query.expression.Environment;
import dev.semel.query.filter.FilterScope;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.JsonException;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

final class PipelineFuzzTest {
    /** Whatever a client sends as a pipeline runs or is refused with a code; there is no third outcome. */
    @FuzzTest
    void anyBytesAreAPipelineOrAreRefused(byte[] bytes) {
        try {
            run(BsonValidation.check(bytes, 0, bytes.length));
        } catch (CommandException e) {
            assertThat(e.text()).isNotNull();
        }
    }

    /** The same, where the fuzzer finds the words more easily. */
    @FuzzTest
    void anyTextIsAPipelineOrIsRefused(byte[] bytes) {
        try {
            run(Json.parse("{\"pipeline\": " + new String(bytes, StandardCharsets.UTF_8) + "}"));
        } catch (CommandException e) {
            assertThat(e.text()).isNotNull();
        } catch (JsonException e) {
            assertThat(e.line()).isPositive();
        }
    }

    private static void run(RawDocument command) {
        List<RawDocument> stages = new ArrayList<>();
        if (command.get("pipeline") instanceof Value.Array(RawDocument elements)) {
            for (Element element : elements) {
                if (element.value() instanceof Value.Doc(RawDocument stage)) {
                    stages.add(stage);
                }
            }
        }
        var environment = new Environment(0, null, new Random(0));
        Pipeline pipeline = Pipelines.parse(stages, new FilterScope(environment));
        List<RawDocument> documents =
                List.of(command, Json.parse("{\"_id\": 1, \"a\": [1, \"x\", {\"b\": 2.5}], \"b\": {\"c\": null}}"));
        try (Source results = pipeline.open(Source.of(documents), false)) {
            for (int i = 0; i < 1000 && results.next() != null; i++) {
                assertThat(pipeline.fields()).isNotNull();
            }
        }
    }
}

package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pipeline may have a thousand stages, each of which calls the one before it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongPipelineTest {
    private static final String LOOKUP =
            "{\"$lookup\": {\"from\": \"c\", \"localField\": \"k\", \"foreignField\": \"k\", \"as\": \"r\"}}";
    private static final String WINDOW =
            "{\"$setWindowFields\": {\"sortBy\": {\"k\": 1}, \"output\": {\"n\": {\"$sum\": \"$k\"}}}}";

    @RegisterExtension
    private final ServerWithLimits server = new ServerWithLimits(Map.of());

    @BeforeEach
    void insert() {
        server.run("{\"insert\": \"c\", \"documents\": [{\"k\": 1}, {\"k\": 2}, {\"k\": 3}], \"$db\": \"db\"}");
    }

    private static String aggregate(String stages) {
        return "{\"aggregate\": \"c\", \"cursor\": {}, \"pipeline\": [" + stages + "], \"$db\": \"db\"}";
    }

    private static String times(int count, String stage) {
        return String.join(", ", Collections.nCopies(count, stage));
    }

    /** As a connection does, which lets others run in between, with its stack put aside. */
    private RawDocument run(String command) {
        return CompletableFuture.supplyAsync(() -> server.run(command), Thread::startVirtualThread)
                .join();
    }

    private void answers(String command) {
        RawDocument reply = run(command);
        assertThat(reply.get("ok")).as(reply.toString()).isEqualTo(Value.of(1.0));
    }

    @ParameterizedTest
    @ValueSource(strings = {LOOKUP, WINDOW})
    void ofAThousandStages(String stage) {
        answers(aggregate(times(1000, stage)));
    }

    /** Each stage is observed. */
    @ParameterizedTest
    @ValueSource(strings = {LOOKUP, WINDOW})
    void explained(String stage) {
        answers("{\"explain\": " + aggregate(times(400, stage))
                + ", \"verbosity\": \"executionStats\", \"$db\": \"db\"}");
    }

    /**
     * So many that the stack does not have room for them, whether the JVM has compiled the stages or not, and that it is too
     * deep if it has been put aside often enough to have room.
     */
    @Test
    void inPipelinesOfAThousandStages() {
        String stages = "";
        for (int i = 0; i < 12; i++) {
            stages = "{\"$lookup\": {\"from\": \"c\", \"pipeline\": [" + (stages.isEmpty() ? "" : stages + ", ")
                    + times(900, WINDOW) + "], \"as\": \"r\"}}";
        }
        RawDocument reply = run(aggregate(stages));
        assertThat(reply.get("codeName")).as(reply.toString()).isEqualTo(Value.of("Overflow"));
        RawDocument status = server.run("{\"serverStatus\": 1, \"$db\": \"admin\"}");
        assertThat(String.valueOf(status.get("memoryAccount"))).contains("\"queries\": {\"used\": 0,");
    }
}

package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many write to a capped collection at once. */
class CappedTest {
    private static final int WRITERS = 4;
    private static final int EACH = 50;
    private static final int MAX = 30;

    private Server server;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory().inProcess());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void whoFollowsMissesNothingAndSeesTheOrderOfTheCollection() throws Exception {
        run("{'create': 'c', 'capped': true, 'size': 1000000, '$db': 'd'}");
        run("{'insert': 'c', 'documents': [{'_id': -1}], '$db': 'd'}");
        List<Value> followed = new ArrayList<>();
        RawDocument first = run("{'find': 'c', 'tailable': true, 'awaitData': true, '$db': 'd'}");
        followed.addAll(ids(first, "firstBatch"));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var writers = inserts().stream().map(threads::submit).toList();
            while (followed.size() <= WRITERS * EACH) {
                RawDocument more = run(
                        "{'getMore': {'$numberLong': '%d'}, 'collection': 'c', '$db': 'd'}".formatted(cursor(first)));
                followed.addAll(ids(more, "nextBatch"));
            }
            for (var writer : writers) {
                writer.get();
            }
        }
        assertThat(followed).isEqualTo(ids(run("{'find': 'c', 'batchSize': 1000, '$db': 'd'}"), "firstBatch"));
        assertThat(followed).doesNotHaveDuplicates().hasSize(WRITERS * EACH + 1);
    }

    @Test
    void limitsHoldAndTheNewestStay() throws Exception {
        run("{'create': 'c', 'capped': true, 'size': 1000000, 'max': %d, '$db': 'd'}".formatted(MAX));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var writer : threads.invokeAll(inserts())) {
                writer.get();
            }
        }
        List<Value> left = ids(run("{'find': 'c', 'batchSize': 1000, '$db': 'd'}"), "firstBatch");
        assertThat(left).hasSize(MAX).doesNotHaveDuplicates();
        assertThat(run("{'validate': 'c', '$db': 'd'}").get("valid")).isEqualTo(Value.TRUE);
        assertThat(run("{'count': 'c', '$db': 'd'}").get("n")).isEqualTo(Value.of(MAX));
    }

    private List<Callable<Void>> inserts() {
        List<Callable<Void>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            int from = writer * EACH;
            writers.add(() -> {
                for (int id = from; id < from + EACH; id++) {
                    RawDocument reply = run("{'insert': 'c', 'documents': [{'_id': %d}], '$db': 'd'}".formatted(id));
                    assertThat(reply.get("n")).isEqualTo(Value.of(1));
                }
                return null;
            });
        }
        return writers;
    }

    private RawDocument run(String command) {
        try (LocalConnection connection = server.connect()) {
            return connection.run(Json.parse(command.replace('\'', '"')));
        }
    }

    private static RawDocument cursorOf(RawDocument reply) {
        return ((Value.Doc) Objects.requireNonNull(reply.get("cursor"), reply::toString)).document();
    }

    private static long cursor(RawDocument reply) {
        return ((Value.Int64) Objects.requireNonNull(cursorOf(reply).get("id"))).value();
    }

    private static List<Value> ids(RawDocument reply, String batch) {
        List<Value> ids = new ArrayList<>();
        if (cursorOf(reply).get(batch) instanceof Value.Array(RawDocument documents)) {
            documents.forEach(
                    each -> ids.add(((Value.Doc) each.value()).document().get("_id")));
        }
        return ids;
    }
}

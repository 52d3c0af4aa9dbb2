package dev.semel.blackpipe.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.blackpipe.PyMongo;
import dev.semel.blackpipe.script.Pending;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same plans give the same verdicts on Semel and on a server that a test plays. */
class SameVerdictsTest {
    private static Server semel;
    private static ScriptedCounter scripted;

    /** A way to count a visit, and where it goes wrong. */
    enum Strategy {
        NO_RETRY(
                uri -> Counting.increment(uri + Counting.BY_HAND, 1),
                Map.of("update days, transient error, not received", "may undercount")),
        NAIVE_LOOP(
                uri -> Counting.increment(uri + Counting.BY_HAND, 2),
                Map.of("update days, transient error, applied, reply lost", "may overcount")),
        OFFICIAL_DRIVER(uri -> Counting.increment(uri, 1), Map.of()),
        OUR_DRIVER(Counting::incrementWithOurDriver, Map.of()),
        PY_MONGO(Counting::incrementWithPyMongo, Map.of());

        private final Operation operation;
        private final Map<String, String> wrong;

        Strategy(Operation operation, Map<String, String> wrong) {
            this.operation = operation;
            this.wrong = wrong;
        }
    }

    @BeforeAll
    static void serve() throws IOException {
        semel = Server.start(ServerOptions.memory());
        scripted = new ScriptedCounter();
    }

    @AfterAll
    static void end() throws IOException {
        semel.close();
        scripted.close();
    }

    private static Pending<AuditReport> audit(Strategy strategy, String target, Invariant counter) {
        // A program of its own takes a while to start, when the machine is busy.
        var selection = Duration.ofMillis(strategy == Strategy.PY_MONGO ? 2000 : 1200);
        return Pending.of(() -> Audit.of(strategy.operation)
                .invariant(counter)
                .target(target)
                .selectionTimeout(selection)
                .parallel(5)
                .withoutBackground()
                .run());
    }

    private static List<String> verdicts(AuditReport report) {
        return report.findings().stream()
                .map(each -> each.point() + ": " + each.verdict().label() + ", effect " + each.applied())
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void verdictsAreThoseOfTheStrategyOnEitherServer(Strategy strategy) throws IOException {
        if (strategy == Strategy.PY_MONGO) {
            PyMongo.assume();
        }
        var onSemel = audit(strategy, semel.connectionString(), Counting::counter);
        var onScript = audit(strategy, scripted.uri(), uri -> scripted.count(Counting.database(uri)));
        assertThat(Counting.wrong(onSemel.result())).isEqualTo(strategy.wrong);
        assertThat(onSemel.result().findings()).hasSize(5);
        assertThat(verdicts(onScript.result())).isEqualTo(verdicts(onSemel.result()));
    }
}

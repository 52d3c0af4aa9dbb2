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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same plans give the same verdicts on Semel and on a scripted server. */
@Isolated("starts programs, which have two seconds to find their server")
class SameVerdictsTest {
    private static final String PY_MONGO = "PyMongo";

    private static Server semel;
    private static ScriptedCounter scripted;

    /** A way to count a visit, and where it goes wrong. */
    record Strategy(String name, Operation operation, Map<String, String> wrong) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Strategy> strategies() {
        return Stream.of(
                new Strategy(
                        "no retry",
                        uri -> Counting.increment(uri + Counting.BY_HAND, 1),
                        Map.of("update days, transient error, not received", "may undercount")),
                new Strategy(
                        "naive loop",
                        uri -> Counting.increment(uri + Counting.BY_HAND, 2),
                        Map.of("update days, transient error, applied, reply lost", "may overcount")),
                new Strategy("official driver", uri -> Counting.increment(uri, 1), Map.of()),
                new Strategy(PY_MONGO, Counting::incrementWithPyMongo, Map.of()));
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
        var selection = Duration.ofMillis(strategy.name().equals(PY_MONGO) ? 2000 : 1200);
        return Pending.of(() -> Audit.of(strategy.operation())
                .invariant(counter)
                .target(target)
                .selectionTimeout(selection)
                .faults(Kind.TRANSIENT, Kind.OUTAGE, Kind.COMMAND_ERROR)
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
    @MethodSource("strategies")
    void verdictsAreThoseOfTheStrategyOnEitherServer(Strategy strategy) throws IOException {
        if (strategy.name().equals(PY_MONGO)) {
            PyMongo.assume();
        }
        var onSemel = audit(strategy, semel.connectionString(), Counting::counter);
        var onScript = audit(strategy, scripted.uri(), uri -> scripted.count(Counting.database(uri)));
        assertThat(Counting.wrong(onSemel.result())).isEqualTo(strategy.wrong());
        assertThat(onSemel.result().findings()).hasSize(5);
        assertThat(verdicts(onScript.result())).isEqualTo(verdicts(onSemel.result()));
    }
}

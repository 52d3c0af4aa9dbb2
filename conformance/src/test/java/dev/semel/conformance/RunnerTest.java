package dev.semel.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.semel.conformance.adapter.ClientOptions;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Driver;
import dev.semel.conformance.adapter.Failure;
import dev.semel.conformance.adapter.Listener;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.own.OwnDriver;
import dev.semel.conformance.subject.Subject;
import dev.semel.conformance.subject.Topology;
import dev.semel.conformance.unified.CaseRunner;
import dev.semel.conformance.unified.TestCase;
import dev.semel.conformance.unified.TestFile;
import dev.semel.conformance.unified.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A driver that does wrong passes no case that it should fail. */
class RunnerTest {
    private static final @Nullable String FOLDER = System.getenv("SPEC_TESTS");

    /** The driver of this project with one fault. */
    private static class Faulty implements Driver {
        private final Driver sound = new OwnDriver();

        @Override
        public String name() {
            return "faulty";
        }

        @Override
        public Map<String, String> missing() {
            return sound.missing();
        }

        @Override
        public Driven open(ClientOptions options, Listener listener) {
            return sound.open(options, listener);
        }

        @Override
        public @Nullable Failure describe(Throwable thrown) {
            return sound.describe(thrown);
        }
    }

    @Test
    void noCaseTakesNullPointerExceptionForAnErrorOfTheDriver() throws IOException {
        var faulty = new Faulty() {
            @Override
            public @Nullable Failure describe(Throwable thrown) {
                return super.describe(thrown instanceof Unsupported ? thrown : new NullPointerException());
            }
        };
        List<TestCase> cases = Stream.of("crud", "sessions", "run-command", "gridfs")
                .flatMap(RunnerTest::cases)
                .filter(each -> each.content().toString().contains("expectError"))
                .toList();

        assertThat(passed(faulty, cases)).isEmpty();
    }

    @Test
    void clientThatCannotBeOpenedIsNotWhatTheSelfTestsHaveToFailFor() throws IOException {
        var faulty = new Faulty() {
            @Override
            public Driven open(ClientOptions options, Listener listener) {
                throw new IllegalStateException("cannot be opened");
            }
        };
        List<TestCase> cases = cases("unified-test-format/valid-fail")
                .filter(each -> each.file().content().toString().contains("\"client\": {"))
                .filter(each -> !each.file().path().endsWith("schemaVersion-unsupported.json"))
                .toList();

        assertThat(passed(faulty, cases)).isEmpty();
    }

    private static List<String> passed(Driver driver, List<TestCase> cases) throws IOException {
        try (Subject subject = Subject.start(Topology.REPLICA_SET)) {
            var runner = new CaseRunner(driver, subject);
            List<TestCase> meant = cases.stream()
                    .filter(each -> runner.reasonToSkip(each) == null)
                    .toList();
            assertThat(meant).as("cases that are run").isNotEmpty();
            return meant.stream()
                    .filter(each -> runner.run(each) instanceof Verdict.Passed)
                    .map(TestCase::id)
                    .toList();
        }
    }

    private static Stream<TestCase> cases(String suite) {
        assumeTrue(FOLDER != null, "SPEC_TESTS is not set");
        Path root = Path.of(String.valueOf(FOLDER));
        try (Stream<Path> files = Files.walk(root.resolve(suite))) {
            return files
                    .filter(each -> each.toString().endsWith(".json"))
                    .sorted()
                    .map(each -> TestFile.read(root, each))
                    .filter(Objects::nonNull)
                    .flatMap(each -> each.cases().stream())
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

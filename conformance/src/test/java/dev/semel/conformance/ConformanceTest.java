package dev.semel.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.semel.conformance.adapter.Driver;
import dev.semel.conformance.official.OfficialDriver;
import dev.semel.conformance.own.OwnDriver;
import dev.semel.conformance.report.KnownFailures;
import dev.semel.conformance.report.Page;
import dev.semel.conformance.subject.Subject;
import dev.semel.conformance.subject.Topology;
import dev.semel.conformance.unified.CaseRunner;
import dev.semel.conformance.unified.TestCase;
import dev.semel.conformance.unified.TestFile;
import dev.semel.conformance.unified.Verdict;
import dev.semel.golden.GeneratedPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * The published driver specification tests. The environment variable SPEC_TESTS names the folder that holds them.
 *
 * <p>{@code -Drewrite} writes the page again and takes out of the list of known failures what passes now; with {@code
 * -Dtest.jvm.arguments=-DaddKnownFailures=true} also puts in what fails. {@code -Dtest.jvm.arguments=-DallOnThree=true} runs
 * all suites on a set of three members.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConformanceTest {
    private static final @Nullable String FOLDER = System.getenv("SPEC_TESTS");
    private static final boolean REWRITES = Boolean.getBoolean("rewrite");
    private static final Path LISTS = Path.of("src", "test", "resources");
    private static final Path FAILURES = LISTS.resolve("known-failures.txt");
    private static final int LANES = 8;
    private static final boolean ALL_ON_THREE = Boolean.getBoolean("allOnThree");
    private static final Set<String> SUITES_ON_THREE =
            Set.of("retryable-writes", "server-discovery-and-monitoring", "server-selection");

    private final Page page = new Page();
    private final Set<String> byStatement = new TreeSet<>();
    private final Set<String> unexpected = new TreeSet<>();
    private KnownFailures known = new KnownFailures();

    @BeforeAll
    void readLists() throws IOException {
        known = KnownFailures.read(FAILURES);
        Files.readAllLines(LISTS.resolve("statement-atomicity.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(byStatement::add);
    }

    @Test
    void dataIsPresent() {
        if (FOLDER == null && System.getenv("CI") == null) {
            abort("SPEC_TESTS is not set: the driver specification tests were NOT run");
        }
        assertThat(FOLDER)
                .as("continuous integration runs the driver specification tests: SPEC_TESTS names their folder")
                .isNotNull();
        assertThat(Path.of(String.valueOf(FOLDER), "unified-test-format")).isDirectory();
    }

    @TestFactory
    List<DynamicNode> cases() throws IOException {
        if (FOLDER == null) {
            return List.of();
        }
        Path root = Path.of(FOLDER);
        List<List<TestCase>> all = files(root).stream().map(TestFile::cases).toList();
        List<DynamicNode> nodes = new ArrayList<>();
        Driver own = new OwnDriver();
        nodes.add(run(own, Topology.REPLICA_SET, all));
        nodes.addAll(elsewhere(own, all));
        nodes.add(run(new OfficialDriver(), Topology.REPLICA_SET, all));
        nodes.add(dynamicTest("docs/conformance.md is up to date", () -> checkPage(root)));
        return nodes;
    }

    /** On the other topologies, what could not be run on those before, and on a standalone server also {@code crud}. */
    private List<DynamicNode> elsewhere(Driver driver, List<List<TestCase>> all) throws IOException {
        List<DynamicNode> nodes = new ArrayList<>();
        Set<String> run = new HashSet<>();
        for (Topology topology : Topology.values()) {
            try (Subject subject = Subject.start(topology)) {
                var runner = new CaseRunner(driver, subject);
                List<List<TestCase>> mine = all.stream()
                        .map(file -> file.stream()
                                .filter(test -> runner.reasonToSkip(test) == null
                                        && (run.add(test.id()) || isForAll(topology, test)))
                                .toList())
                        .filter(file -> !file.isEmpty())
                        .toList();
                if (topology != Topology.REPLICA_SET) {
                    nodes.add(run(driver, topology, mine));
                }
            }
        }
        return nodes;
    }

    /**
     * Which writes a driver may repeat depends on the topology, so those are run on a standalone server as well. A set of three
     * takes some minutes for all of them, so the build has those that a lost primary concerns most.
     */
    private static boolean isForAll(Topology topology, TestCase test) {
        String suite = test.file().suite();
        return switch (topology) {
            case SINGLE -> suite.equals("crud");
            case SET_OF_THREE -> ALL_ON_THREE || SUITES_ON_THREE.contains(suite);
            default -> false;
        };
    }

    /** Every file of the data, or a reason why not. */
    private static List<TestFile> files(Path root) throws IOException {
        List<Path> paths;
        try (var all = Files.walk(root)) {
            paths = all.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        List<TestFile> files = new ArrayList<>();
        for (Path each : paths) {
            String name = root.relativize(each).toString().replace('\\', '/');
            if (!OtherFormats.knows(name)) {
                TestFile file = TestFile.read(root, each);
                assertThat(file).as("%s is of a format that nobody runs", name).isNotNull();
                files.add(file);
            }
        }
        return files;
    }

    private DynamicNode run(Driver driver, Topology topology, List<List<TestCase>> files) {
        String name = Campaign.name(driver, topology);
        Set<String> failing = Set.copyOf(known.of(name).keySet());
        Campaign campaign = new Campaign(driver, topology, files, byStatement, failing);
        Page.Run report = new Page.Run(name);
        Map<String, List<DynamicNode>> suites = new LinkedHashMap<>();
        for (List<TestCase> file : files) {
            List<DynamicTest> cases = new ArrayList<>();
            for (TestCase test : file) {
                cases.add(dynamicTest(test.description(), () -> judge(campaign, name, report, test)));
            }
            TestFile of = file.getFirst().file();
            suites.computeIfAbsent(of.suite(), absent -> new ArrayList<>()).add(dynamicContainer(of.path(), cases));
        }
        List<DynamicNode> nodes = new ArrayList<>();
        nodes.add(dynamicTest("servers start", () -> campaign.start(LANES)));
        suites.forEach((suite, inside) -> nodes.add(dynamicContainer(suite, inside)));
        nodes.add(dynamicTest("every known failure is a case", () -> {
            report.runAgain(campaign.runsAlone());
            page.add(report);
            assertThat(known.of(name).keySet())
                    .isSubsetOf(files.stream()
                            .flatMap(List::stream)
                            .map(TestCase::id)
                            .toList());
        }));
        return dynamicContainer(name, nodes);
    }

    private void judge(Campaign campaign, String run, Page.Run report, TestCase test) {
        String suite = test.file().suite();
        String reason = known.reason(run, test.id());
        switch (campaign.await(test)) {
            case Verdict.Skipped(String why) -> {
                report.skipped(suite, why);
                known.remove(run, test.id());
                abort(why);
            }
            case Verdict.Passed passed when reason == null -> report.passed(suite);
            case Verdict.Passed passed when known.isFlaky(run, test.id()) -> report.failed(suite, test.id(), reason);
            case Verdict.Passed passed -> {
                report.passed(suite);
                known.remove(run, test.id());
                assertThat(REWRITES)
                        .as("%s passes now: take it out of %s", test.id(), FAILURES)
                        .isTrue();
            }
            case Verdict.Failed(Throwable cause)
            when reason == null -> {
                if (!Boolean.getBoolean("addKnownFailures")) {
                    unexpected.add(test.id());
                    throw new AssertionError(test.id() + ": " + cause.getMessage(), cause);
                }
                String message = String.valueOf(cause.getMessage());
                known.add(run, test.id(), message);
                report.failed(suite, test.id(), String.valueOf(known.reason(run, test.id())));
                abort(message);
            }
            case Verdict.Failed failed -> {
                report.failed(suite, test.id(), String.valueOf(reason));
                abort("known to fail: " + reason);
            }
        }
    }

    private void checkPage(Path root) throws IOException {
        assumeThat(unexpected)
                .as("the page says what passes, so it cannot be compared after these failures")
                .isEmpty();
        page.byStatement(byStatement).otherFormats(OtherFormats.table(root));
        GeneratedPage.named("conformance.md").check(page.toString(), Page.VARYING);
    }

    @AfterAll
    void writeLists() throws IOException {
        if (REWRITES && FOLDER != null) {
            known.write(FAILURES);
        }
    }
}

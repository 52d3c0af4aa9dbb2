package dev.semel.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The dependencies between packages. The compiler checks those between modules; this test checks the others. */
class ArchitectureTest {
    private static final String COMMAND = "dev.semel.server.command.Command";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.semel");

    @Test
    void packagesHaveNoCycles() {
        // An error carries a document, and reading a document can fail with an error: the one cycle, limited to one
        // class.
        check(slices().matching("dev.semel.(**)")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(
                        resideInAPackage("dev.semel.wire")
                                .and(describe(
                                        "error details",
                                        type -> type.getSimpleName().equals("ErrorDetails"))),
                        resideInAPackage("dev.semel.wire.bson")));
    }

    @Test
    void wireUsesNoOtherModule() {
        check(noClasses()
                .that(resideInAPackage("dev.semel.wire.."))
                .should()
                .dependOnClassesThat(resideInAPackage("dev.semel..")
                        .and(DescribedPredicate.not(resideInAPackage("dev.semel.wire..")))));
    }

    @Test
    void queryAndStoreUseOnlyWire() {
        check(onlyUse("dev.semel.query..", "dev.semel.query..", "dev.semel.wire.."));
        check(onlyUse("dev.semel.store..", "dev.semel.store..", "dev.semel.wire.."));
    }

    @Test
    void serverDoesNotKnowWhatEmbedsIt() {
        check(onlyUse(
                "dev.semel.server..",
                "dev.semel.server..",
                "dev.semel.store..",
                "dev.semel.query..",
                "dev.semel.wire.."));
        check(noClasses()
                .that(resideInAPackage("dev.semel.server.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage("picocli..", "org.snakeyaml..", "de.siegmar..")));
    }

    @Test
    void driverDoesNotDependOnTheServer() {
        check(onlyUse("dev.semel.driver..", "dev.semel.driver..", "dev.semel.wire.."));
        check(noClasses()
                .that(resideInAPackage("dev.semel.driver.."))
                .should()
                .dependOnClassesThat(resideInAPackage("com.mongodb..")));
    }

    @Test
    void faultsKnowNeitherServerNorDriver() {
        // They stand between any application and any server.
        check(onlyUse("dev.semel.blackpipe..", "dev.semel.blackpipe..", "dev.semel.wire.."));
        check(noClasses()
                .that(resideInAPackage("dev.semel.blackpipe.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage("com.mongodb..", "org.bson..")));
    }

    @Test
    void driverLayersSeeOnlyThoseBelow() {
        var driver = "dev.semel.driver.";
        var layers = List.of("operation", "execution", "topology", "pool", "connection");
        for (int i = 0; i < layers.size(); i++) {
            var above = Stream.concat(
                            Stream.of("dev.semel.driver"),
                            layers.subList(0, i).stream().map(driver::concat))
                    .toArray(String[]::new);
            check(noClasses()
                    .that(resideInAPackage(driver + layers.get(i)))
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(above)));
        }
    }

    @Test
    void storageEngineIsSeenOnlyByItsPackage() {
        check(noClasses()
                .that(DescribedPredicate.not(resideInAPackage("dev.semel.store.rocks..")))
                .should()
                .dependOnClassesThat(resideInAPackage("org.rocksdb..")));
    }

    @Test
    void scriptEngineIsSeenOnlyByItsPackage() {
        check(noClasses()
                .that(DescribedPredicate.not(resideInAPackage("dev.semel.query.script..")))
                .should()
                .dependOnClassesThat(resideInAPackage("org.mozilla..")));
    }

    @Test
    void analysisLibraryIsSeenOnlyByItsPackage() {
        check(noClasses()
                .that(DescribedPredicate.not(resideInAPackage("dev.semel.query.text..")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.apache.lucene..", "org.tartarus..")));
    }

    @Test
    void consensusEngineIsSeenOnlyByItsPackage() {
        check(noClasses()
                .that(DescribedPredicate.not(resideInAPackage("dev.semel.replication.ratis..")))
                .should()
                .dependOnClassesThat(resideInAPackage("org.apache.ratis..")));
    }

    @Test
    void geometryLibraryIsSeenOnlyByItsPackage() {
        check(noClasses()
                .that(DescribedPredicate.not(resideInAPackage("dev.semel.query.geo..")))
                .should()
                .dependOnClassesThat(resideInAPackage("com.google.common.geometry..")));
    }

    @Test
    void replicationUsesNoOtherModule() {
        check(onlyUse("dev.semel.replication..", "dev.semel.replication.."));
    }

    @Test
    void pureCoresHaveNoSocketsThreadsOrFiles() {
        check(noClasses()
                .that(resideInAnyPackage("dev.semel.query..", "dev.semel.store.key.."))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("java.net..", "javax.net..", "java.nio.channels..", "java.nio.file..")
                                .or(describe("threads or files", ArchitectureTest::isThreadOrFile))));
    }

    @Test
    void serverDiscoveryIsAFunction() {
        var functions = Set.of("TopologyMachine", "ServerSelection", "FailureVerdict");
        check(noClasses()
                .that(resideInAPackage("dev.semel.driver.topology")
                        .and(describe(
                                "are functions",
                                type -> functions.contains(fileOf(type).getSimpleName()))))
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.net..", "javax.net..", "java.util.concurrent..")
                        .or(describe("threads or files", ArchitectureTest::isThreadOrFile))));
    }

    private static boolean isThreadOrFile(JavaClass type) {
        var name = type.getName();
        return name.equals("java.lang.Thread")
                || name.startsWith("java.lang.Thread$")
                || name.startsWith("java.io.File")
                || name.equals("java.io.RandomAccessFile")
                || name.matches(
                        "java\\.util\\.concurrent\\.\\w*(Executor|Executors|ExecutorService|ForkJoin|CompletableFuture)\\w*");
    }

    @Test
    void commandsDoNotSeeEachOther() {
        check(classes()
                .that(describe("are part of a command", type -> isCommand(fileOf(type))))
                .should(new ArchCondition<JavaClass>("not depend on another command") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        type.getDirectDependenciesFromSelf().stream()
                                .filter(use -> isCommand(fileOf(use.getTargetClass())))
                                .filter(use -> !fileOf(use.getTargetClass()).equals(fileOf(type)))
                                .forEach(use -> events.add(SimpleConditionEvent.violated(type, use.getDescription())));
                    }
                }));
    }

    @Test
    void whoReadsAWholeNamespaceSaysWhatRightsItTakes() {
        // Rights on "the collection that the command names" put the database of the command before it.
        check(noClasses()
                .that(resideInAPackage("dev.semel.server.commands.."))
                .and(describe("do not determine the rights by the arguments", type -> !determinesRights(fileOf(type))))
                .should()
                .callMethod("dev.semel.wire.Namespace", "parse", "java.lang.String"));
    }

    @Test
    void commandsCountThroughTheirCall() {
        // What is counted otherwise is not taken back when the command is given up, and counts again when it is begun
        // again.
        check(noClasses()
                .that(resideInAnyPackage(
                        "dev.semel.server.commands..",
                        "dev.semel.server.statement..",
                        "dev.semel.server.cursor..",
                        "dev.semel.server.plan.."))
                .should()
                .callMethod("java.util.concurrent.atomic.LongAdder", "increment")
                .orShould()
                .callMethod("java.util.concurrent.atomic.LongAdder", "add", "long"));
    }

    private static boolean determinesRights(JavaClass type) {
        return type.getMethods().stream().anyMatch(each -> each.getName().equals("demands"))
                // Its namespaces are found before it is read, and BulkWrite tells the rights.
                || type.getSimpleName().equals("BulkWriteArgs");
    }

    private static boolean isCommand(JavaClass type) {
        return !type.isInterface() && type.isAssignableTo(COMMAND);
    }

    // A command's arguments and helpers are nested in it; they count as the command.
    private static JavaClass fileOf(JavaClass type) {
        var outermost = type;
        while (outermost.getEnclosingClass().isPresent()) {
            outermost = outermost.getEnclosingClass().get();
        }
        return outermost;
    }

    @Test
    void timeAndChanceComeInThroughConstructors() {
        // Otherwise a seed does not repeat a run, and a test has to sleep.
        check(noClasses()
                .that(resideInAnyPackage(
                                "dev.semel.wire..",
                                "dev.semel.query..",
                                "dev.semel.store..",
                                "dev.semel.server..",
                                "dev.semel.blackpipe..",
                                "dev.semel.driver..")
                        .and(describe("are not the composition root", type -> !isCompositionRoot(type))))
                .should()
                .accessTargetWhere(describe("reads the clock, draws or sleeps", ArchitectureTest::isTimeOrChance)));
    }

    private static boolean isCompositionRoot(JavaClass type) {
        return Set.of(
                        "dev.semel.server.Wiring",
                        "dev.semel.blackpipe.proxy.Time",
                        "dev.semel.blackpipe.script.ScriptedServer",
                        "dev.semel.driver.LiveClient",
                        "dev.semel.driver.connection.Time")
                .contains(fileOf(type).getName());
    }

    private static final Map<String, Set<String>> TIME_AND_CHANCE = Map.of(
            "java.util.UUID", Set.of("randomUUID"),
            "java.lang.System", Set.of("currentTimeMillis", "nanoTime"),
            "java.time.InstantSource", Set.of("system"),
            "java.lang.Thread", Set.of("sleep"),
            "java.lang.Math", Set.of("random"),
            "java.time.Clock", Set.of("systemUTC", "systemDefaultZone", "system", "tickMillis", "tickSeconds"),
            "java.util.concurrent.ThreadLocalRandom", Set.of("current"),
            "java.util.concurrent.TimeUnit", Set.of("sleep"));

    private static boolean isTimeOrChance(JavaAccess<?> access) {
        var owner = access.getTargetOwner().getName();
        var name = access.getTarget().getName();
        var withoutArguments = access.getDescription().contains(name + "()");
        return TIME_AND_CHANCE.getOrDefault(owner, Set.of()).contains(name)
                || (owner.startsWith("java.time.") && name.equals("now") && withoutArguments)
                || (owner.equals("java.util.Random") && name.equals("<init>") && withoutArguments)
                || (owner.equals("java.util.Date") && name.equals("<init>") && withoutArguments);
    }

    private static ArchRule onlyUse(String from, String... allowed) {
        return noClasses()
                .that(resideInAPackage(from))
                .should()
                .dependOnClassesThat(
                        resideInAPackage("dev.semel..").and(DescribedPredicate.not(resideInAnyPackage(allowed))));
    }

    // A package that is still empty breaks no rule.
    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }
}

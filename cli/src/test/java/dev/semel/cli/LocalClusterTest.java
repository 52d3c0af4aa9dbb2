package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.semel.cli.cluster.Console;
import dev.semel.cluster.Cluster;
import dev.semel.golden.example.ClientProgram;
import dev.semel.golden.example.Example;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.opentest4j.TestAbortedException;

/** {@code semel cluster}: real processes, and the programs that the read-me starts meanwhile, with three drivers. */
@Isolated("chooses the ports before its processes listen on them")
@Timeout(400)
class LocalClusterTest {
    private static final Pattern PRIMARY = Pattern.compile("^ {2}[0-9] +\\S+ +primary ", Pattern.MULTILINE);
    private static final Pattern CUT_OFF =
            Pattern.compile("^ {2}([0-9]) .* no primary .*, cut off$", Pattern.MULTILINE);

    /** The one that the program runs with, whatever is on the path. */
    private static final String JAVA = "\"$(./semel --print-jdk)/bin/java\"";

    private static final Duration SOON = Duration.ofMinutes(2);

    /** Who looks all the time takes a processor from the members. */
    private static final Duration POLL = Duration.ofMillis(10);

    private static final String EXACT =
            "acknowledged [1-9]\\d*, unknown outcomes \\d+, of them applied \\d+: the counter"
                    + " is [1-9]\\d*, exactly the sum";

    private static final String WITHOUT_ERRORS = "acknowledged [1-9]\\d*, unknown outcomes 0, .* exactly the sum";

    @TempDir
    private Path folder;

    private final StringWriter printed = new StringWriter();
    private final PipedWriter typed = new PipedWriter();
    private final List<Program> programs = new ArrayList<>();
    private FutureTask<Void> console;

    private record Program(Process process, Path output) {}

    @BeforeEach
    void startSet() throws Exception {
        int port = consecutivePorts();
        var in = new BufferedReader(new PipedReader(typed));
        console = new FutureTask<>(() -> {
            new Console(new PrintWriter(printed)).run(3, port, folder, in);
            return null;
        });
        Thread.ofPlatform().start(console);
        await(() -> PRIMARY.matcher(printed.toString()).find());
    }

    @AfterEach
    void quit() throws Exception {
        for (Program each : programs) {
            each.process.descendants().forEach(ProcessHandle::destroyForcibly);
            each.process.destroyForcibly().waitFor();
        }
        type("quit");
        console.get();
    }

    @Test
    void threeDriversCountExactlyWhileThePrimaryIsKilled() throws Exception {
        startPrograms(8);
        type("kill primary 1");
        await(() -> printed.toString().contains("kill primary: done"));
        assertPrinted(EXACT);
    }

    @Test
    @Tag("slow")
    void threeDriversCountExactlyWhileThePrimaryIsKilledFiveTimes() throws Exception {
        startPrograms(60);
        type("kill primary 5");
        await(() -> printed.toString().contains("kill primary: done"));
        assertPrinted(EXACT);
    }

    /** No driver shows its application anything of it. */
    @Test
    @Tag("slow")
    void threeDriversSeeNoErrorWhileOneMemberAfterTheOtherIsRestarted() throws Exception {
        startPrograms(60);
        type("restart all");
        await(() -> printed.toString().contains("restart all: done"));
        assertPrinted(WITHOUT_ERRORS);
    }

    @Test
    void partitionedPrimaryIsReplacedAndFollowsWhenItIsConnectedAgain() throws Exception {
        type("partition primary");
        await(() -> CUT_OFF.matcher(last()).find() && PRIMARY.matcher(last()).find());
        var cutOff = CUT_OFF.matcher(last());
        assertThat(cutOff.find()).isTrue();
        type("heal " + cutOff.group(1));
        await(() -> last().lines().filter(each -> each.contains("secondary")).count() == 2);
        assertThat(last()).containsPattern(PRIMARY).doesNotContain("cut off");
    }

    @Test
    void whatHasHappenedToAMemberIsSaid() throws Exception {
        type("pause 1");
        await(() -> last().contains("paused"));
        type("stop 1");
        await(() -> printed.toString().contains("member 1 is paused: resume or kill it"));
        type("resume 1");
        await(() -> !last().contains("paused"));
        assertThat(second().destroyForcibly()).isTrue();
        await(() -> printed.toString()
                .contains("member 2 has ended by itself; its log says why: "
                        + folder.resolve("member2").resolve("log.txt")));
        await(() -> last().contains("stopped"));
        type("restart 2");
        await(() -> last().contains("starting"));
        await(() -> last().lines().filter(each -> each.contains("secondary")).count() == 2);
    }

    private ProcessHandle second() {
        var address = uri().split(",", -1)[1];
        try (MongoClient client = MongoClients.create("mongodb://" + address + "/?directConnection=true")) {
            var status = client.getDatabase("admin").runCommand(new Document("serverStatus", 1));
            return ProcessHandle.of(status.get("pid", 0L)).orElseThrow();
        }
    }

    /** The table that was printed last. */
    private String last() {
        var all = printed.toString();
        return all.substring(Math.max(0, all.lastIndexOf("  member ")));
    }

    private void startPrograms(int seconds) throws Exception {
        for (String each : commands()) {
            var output = folder.resolve("program" + programs.size());
            String command = each.replaceFirst(" 60 &$", " " + seconds);
            var builder = new ProcessBuilder("bash", "-c", "exec " + command)
                    .directory(Example.root().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().put("MONGODB_URI", uri());
            programs.add(new Program(builder.start(), output));
        }
        try (MongoClient client = MongoClients.create(uri())) {
            var counters = client.getDatabase("failover").getCollection("counters");
            await(() -> counters.countDocuments() == programs.size()
                    || programs.stream().anyMatch(each -> !each.process.isAlive()));
        }
    }

    /** As they are on the page, but with the program of this test; without those that need what is not installed. */
    private static List<String> commands() throws IOException {
        var commands = Example.on("README.md").stream()
                .map(Example::code)
                .filter(each -> each.contains("counter.py"))
                .collect(Collectors.joining())
                .lines()
                .filter(each -> each.contains("examples/failover/"))
                .toList();
        assertThat(commands).hasSize(3);
        var found = new ArrayList<String>();
        for (String each : commands) {
            if (each.startsWith("python3 ") && isInstalled(ClientProgram.PYTHON)) {
                // The one that is asked whether it has PyMongo.
                found.add("/usr/bin/" + each);
            } else if (each.startsWith("node ") && isInstalled(ClientProgram.NODE)) {
                found.add(each);
            } else if (each.startsWith(JAVA)) {
                found.add(each.replace(
                                JAVA,
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString())
                        .replace("cli/target/semel.jar", "'" + System.getProperty("java.class.path") + "'"));
            }
        }
        return found;
    }

    private static boolean isInstalled(ClientProgram program) {
        try {
            program.assume();
            return true;
        } catch (TestAbortedException missing) {
            return false;
        }
    }

    private void assertPrinted(String expected) throws Exception {
        for (Program each : programs) {
            assertThat(each.process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            var said = Files.readString(each.output);
            assertThat(said).containsPattern(expected);
            assertThat(each.process.exitValue()).as(said).isZero();
        }
    }

    private void type(String line) throws IOException {
        typed.write(line + "\n");
        typed.flush();
    }

    private void await(BooleanSupplier condition) {
        long end = System.nanoTime() + SOON.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("%s", printed).isNegative();
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private String uri() {
        return printed.toString()
                .lines()
                .filter(each -> each.startsWith("URI: "))
                .map(each -> each.substring("URI: ".length()))
                .collect(Collectors.joining());
    }

    private static int consecutivePorts() throws Exception {
        while (true) {
            String free = Cluster.freeAddresses(1).getFirst();
            int port = Integer.parseInt(free.substring(free.indexOf(':') + 1));
            if (port < 60_000 && isFree(port + 1) && isFree(port + 2)) {
                return port;
            }
        }
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}

package dev.semel.cli;

import dev.semel.cluster.Member;
import dev.semel.cluster.MemberSecurity;
import dev.semel.cluster.SetOptions;
import dev.semel.server.ServerOptions;
import dev.semel.store.EngineException;
import dev.semel.wire.FileFailure;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code semel serve}: a server in a process of its own, until a signal stops it. */
final class Serve {
    static final String NAME = "serve";

    private final PrintWriter out;
    private final PrintWriter err;
    private final Map<String, String> environment;

    Serve(PrintWriter out, PrintWriter err, Map<String, String> environment) {
        this.out = out;
        this.err = err;
        this.environment = environment;
    }

    static CommandSpec spec() {
        var spec = CommandSpec.create().name(NAME);
        spec.usageMessage()
                .description("Starts a server. It prints one line when it is ready, and stops on SIGTERM or SIGINT.")
                .footer("", "Every option is described in docs/configuration.md.");
        ServeCommandLine.declare(spec);
        return spec;
    }

    ExitCode run(ParseResult parsed) {
        var prepared = prepare(parsed, environment);
        var options = prepared.asked();
        checkOutputFiles(options);
        ServerLog.open(options, environment);
        logStart(options);
        var end = new AbruptEnd();
        // Whichever thread it is, the server's own or one of the platform that serves all others: it does not come
        // back.
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> end.accept(e));
        var stop = new CountDownLatch(1);
        for (var signal : List.of("TERM", "INT", "HUP")) {
            Signals.register(signal, () -> {
                if (stop.getCount() > 0) {
                    ServerLog.info(
                            "Stopping",
                            new BsonWriter().put("signal", "SIG" + signal).finish());
                }
                stop.countDown();
            });
        }
        try (var member = start(prepared.onFatal(end))) {
            var code = serve(member, options, stop, end);
            ServerLog.info("Stopped", RawDocument.EMPTY);
            return code;
        } catch (BindException e) {
            return fail(ExitCode.CANNOT_LISTEN, e, options);
        } catch (IOException | EngineException e) {
            return fail(ExitCode.UNCAUGHT, e, options);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        }
    }

    /** What was asked for, and the server's options that follow from it. */
    record Prepared(
            StartOptions asked,
            ServerOptions server,
            @Nullable MemberSecurity security,
            @Nullable SetOptions set) {
        Prepared onFatal(Consumer<Throwable> told) {
            return new Prepared(asked, server.onFatal(told), security, set);
        }
    }

    /** Whatever is wrong with the options is found here, and all of it named at once. */
    static Prepared prepare(ParseResult parsed, Map<String, String> environment) {
        var options = ServeCommandLine.read(parsed, environment);
        refuseUnsafeAddresses(options);
        var server = ServerWiring.options(options, commandLine(parsed));
        var security = MemberSecurityOptions.read(options);
        var set = SetMembers.read(options, security);
        options.refuseProblems();
        return new Prepared(options, server, security, set);
    }

    /** Apart from the rest, because it depends on the machine; before the server starts, because clients would see it. */
    private static void checkOutputFiles(StartOptions options) {
        for (var option : List.of(StartOption.PID_FILE, StartOption.READY_FILE)) {
            options.path(option)
                    .filter(file -> !isInFolderToCome(file, options))
                    .flatMap(file -> OutputFile.problem(options.source(option), file))
                    .ifPresent(options::problem);
        }
        options.refuseProblems();
    }

    /** The server makes the folder of its data, and those above it. */
    private static boolean isInFolderToCome(Path file, StartOptions options) {
        var folder = OutputFile.folder(file);
        return !Files.exists(folder)
                && !options.isMemory()
                && Path.of(options.text(StartOption.DB_PATH))
                        .toAbsolutePath()
                        .normalize()
                        .startsWith(folder);
    }

    private static Member start(Prepared prepared) throws IOException {
        // The consensus engine's network code would warn of what it does with memory.
        System.setProperty("org.apache.ratis.thirdparty.io.netty.noUnsafe", "true");
        Carriers.start();
        var directory = prepared.server().directory();
        var options = prepared.server();
        if (prepared.set() != null || directory == null) {
            return Member.start(options, prepared.set());
        }
        // Only who asks for a set can be asked to join one: the port above belongs to something else otherwise.
        boolean isWaiting = prepared.asked().given(StartOption.REPLICA_SET).isPresent();
        return Member.start(options, directory.resolve(SetOptions.FOLDER), prepared.security(), isWaiting);
    }

    private static void logStart(StartOptions options) {
        ServerLog.info(
                "Starting Semel " + Build.current().version(),
                new BsonWriter()
                        .put("pid", ProcessHandle.current().pid())
                        .put("java", String.valueOf(Runtime.version()))
                        .put("heapMegabytesMax", Runtime.getRuntime().maxMemory() >> 20)
                        .finish());
        for (var each : options.ignored()) {
            ServerLog.info(
                    "An option has no effect here",
                    new BsonWriter()
                            .put("option", each.source())
                            .put("reason", each.reason())
                            .finish());
        }
    }

    private static List<String> commandLine(ParseResult parsed) {
        var words = new ArrayList<String>();
        words.add("semel");
        words.add(NAME);
        var secrets = Arrays.stream(StartOption.values())
                .filter(StartOption::isSecret)
                .map(StartOption::argument)
                .toList();
        boolean conceals = false;
        for (var word : parsed.expandedArgs()) {
            var secret =
                    secrets.stream().filter(each -> word.startsWith(each + "=")).findFirst();
            words.add(
                    conceals
                            ? ServerWiring.CONCEALED
                            : secret.map(each -> each + "=" + ServerWiring.CONCEALED)
                                    .orElse(word));
            conceals = secrets.contains(word);
        }
        return words;
    }

    private ExitCode serve(Member member, StartOptions options, CountDownLatch stop, AbruptEnd end)
            throws IOException, InterruptedException {
        if (stop.getCount() == 0) {
            // Told to stop while it started: nobody may take it for ready.
            return ExitCode.CLEAN;
        }
        // A thread of its own: the JVM delivers signals on one that must not wait.
        Thread.ofPlatform().daemon().name("semel-signal").start(() -> closeOn(stop, member));
        var uri = member.server().connectionString();
        var readyFile = options.path(StartOption.READY_FILE);
        var pidFile = options.path(StartOption.PID_FILE);
        end.removes(Stream.concat(readyFile.stream(), pidFile.stream()).toList());
        try {
            if (pidFile.isPresent()) {
                write(
                        options,
                        StartOption.PID_FILE,
                        pidFile.get(),
                        Long.toString(ProcessHandle.current().pid()));
            }
            if (readyFile.isPresent()) {
                write(options, StartOption.READY_FILE, readyFile.get(), uri);
            }
            out.println("Semel is ready: " + uri);
            out.flush();
            member.awaitEnd();
        } finally {
            if (readyFile.isPresent()) {
                Files.deleteIfExists(readyFile.get());
            }
            if (pidFile.isPresent()) {
                Files.deleteIfExists(pidFile.get());
            }
        }
        return ExitCode.CLEAN;
    }

    private static void closeOn(CountDownLatch stop, Member member) {
        try {
            stop.await();
            member.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void write(StartOptions options, StartOption option, Path file, String line) throws IOException {
        try {
            replace(file, line);
        } catch (FileSystemException e) {
            throw new IOException(OutputFile.cannotWrite(options.source(option), file, FileFailure.reason(e)), e);
        }
    }

    /** The file appears complete or not at all. */
    private static void replace(Path file, String line) throws IOException {
        var next = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(next, line + System.lineSeparator());
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** One line on the terminal, where users look first, and in the log if that is elsewhere. */
    private ExitCode fail(ExitCode code, Exception cause, StartOptions options) {
        err.println("semel serve: " + cause.getMessage());
        if (options.path(StartOption.LOG_PATH).isPresent()) {
            ServerLog.error(
                    "The server cannot start",
                    new BsonWriter()
                            .put("error", String.valueOf(cause.getMessage()))
                            .put("exitCode", code.number())
                            .finish());
        }
        return code;
    }

    private static void refuseUnsafeAddresses(StartOptions options) {
        if (options.is(StartOption.UNSAFE) || options.hasAccessControl()) {
            return;
        }
        if (options.is(StartOption.BIND_IP_ALL)) {
            options.problem(unsafe("every address of this machine"));
            return;
        }
        for (var name : options.list(StartOption.BIND_IP)) {
            try {
                if (!Arrays.stream(InetAddress.getAllByName(name)).allMatch(InetAddress::isLoopbackAddress)) {
                    options.problem(unsafe(name));
                }
            } catch (UnknownHostException e) {
                options.problem(options.source(StartOption.BIND_IP) + " names '" + name + "', which has no address");
            }
        }
    }

    private static String unsafe(String where) {
        return "refuses to listen on " + where + " without access control, because anyone who reaches the port could"
                + " read and change everything. Add --auth, or to accept that"
                + " --unsafe-without-access-control (in the file:"
                + " semel.unsafeWithoutAccessControl: true)";
    }
}

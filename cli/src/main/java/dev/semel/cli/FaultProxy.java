package dev.semel.cli;

import dev.semel.blackpipe.fault.BadPlan;
import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.PlanText;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.proxy.Control;
import dev.semel.blackpipe.proxy.Listening;
import dev.semel.blackpipe.proxy.Proxy;
import dev.semel.blackpipe.proxy.TrafficLog;
import dev.semel.blackpipe.tape.TapePlayer;
import dev.semel.blackpipe.tape.TapeWriter;
import dev.semel.wire.FileFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code semel proxy}: a fault proxy before any server, or a recorded case without one, until a signal stops it. */
final class FaultProxy {
    static final String NAME = "proxy";

    private static final int PORT_MAX = 65535;

    private final PrintWriter out;
    private final PrintWriter err;

    FaultProxy(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    static CommandSpec spec() {
        var spec = CommandSpec.create().name(NAME);
        spec.usageMessage()
                .description("Forwards the traffic between applications and a MongoDB-compatible server and injects the"
                        + " faults of a plan. It prints one line when it is ready, and stops on SIGTERM or SIGINT.")
                .footer("", "Plans are described in docs/proxy.md.");
        spec.addOption(port("--listen", "Port for applications; 0 for a free one."));
        spec.addOption(
                Import.text("--target", "URI", "Connection string of the server. Default: mongodb://127.0.0.1:27017."));
        spec.addOption(Import.text("--plan", "FILE", "The faults, in YAML. Default: none."));
        spec.addOption(Import.flag("--log", "Prints one line per message."));
        spec.addOption(Import.text("--record", "FILE", "Writes a tape of the traffic."));
        spec.addOption(port("--control", "Port of the HTTP interface that changes the plan; 0 for a free one."));
        spec.addOption(Import.text(
                "--tlsCertificateKeyFile",
                "FILE",
                "Clients must use TLS; certificate and key of the proxy, in PEM form."));
        spec.addOption(
                Import.text("--tlsCertificateKeyFilePassword", "TEXT", "Password of that key, if it is encrypted."));
        spec.addOption(Import.text("--replay", "FILE", "Replies from a tape, without a server."));
        return spec;
    }

    private static OptionSpec port(String name, String description) {
        return OptionSpec.builder(name)
                .paramLabel("PORT")
                .type(int.class)
                .description(description)
                .build();
    }

    ExitCode run(ParseResult parsed) {
        if (!parsed.hasMatchedOption("--listen")) {
            throw new BadOption("--listen is missing; --listen 0 takes a free port");
        }
        int listen = port(parsed, "--listen");
        var stop = new CountDownLatch(1);
        for (var signal : List.of("TERM", "INT", "HUP")) {
            Signals.register(signal, stop::countDown);
        }
        try {
            return parsed.hasMatchedOption("--replay")
                    ? replay(parsed, listen, stop)
                    : proxy(parsed, listening(parsed, listen), stop);
        } catch (BindException e) {
            err.println("semel proxy: " + e.getMessage());
            return ExitCode.CANNOT_LISTEN;
        } catch (IOException e) {
            err.println("semel proxy: " + e.getMessage());
            return ExitCode.BAD_OPTIONS;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        }
    }

    private static Listening listening(ParseResult parsed, int port) throws IOException {
        @Nullable String keyFile = parsed.matchedOptionValue("--tlsCertificateKeyFile", null);
        return keyFile == null
                ? Listening.on(port)
                : Listening.encrypted(
                        port, Path.of(keyFile), parsed.matchedOptionValue("--tlsCertificateKeyFilePassword", null));
    }

    private ExitCode proxy(ParseResult parsed, Listening listening, CountDownLatch stop)
            throws IOException, InterruptedException {
        String target = parsed.matchedOptionValue("--target", "mongodb://127.0.0.1:27017");
        var rules = rules(parsed.matchedOptionValue("--plan", null));
        if (!parsed.hasMatchedOption("--tlsCertificateKeyFile")) {
            rules.stream().filter(each -> each.action().needsTls()).findFirst().ifPresent(each -> {
                throw new BadOption("--plan: '" + each.action() + "' needs --tlsCertificateKeyFile");
            });
        }
        try (var proxy = start(target, rules, listening)) {
            if (parsed.hasMatchedOption("--log")) {
                proxy.observe(new TrafficLog(out, ZoneId.systemDefault()));
            }
            @Nullable String record = parsed.matchedOptionValue("--record", null);
            try (var tape = record == null ? null : tape(record);
                    var control =
                            parsed.hasMatchedOption("--control") ? control(proxy, port(parsed, "--control")) : null) {
                if (tape != null) {
                    proxy.observe(tape);
                }
                out.println("Semel's proxy is ready: " + proxy.clientUri().shown());
                rules.forEach(each -> out.println("  " + each));
                if (control != null) {
                    out.println("  control: " + control.url() + "/plan");
                }
                out.flush();
                stop.await();
            }
        }
        return ExitCode.CLEAN;
    }

    private static Proxy start(String target, List<Rule> rules, Listening listening) throws IOException {
        try {
            return Proxy.start(target, Plan.of(rules), listening);
        } catch (BindException e) {
            throw inUse("--listen", listening.port(), e);
        } catch (IllegalArgumentException e) {
            throw new BadOption("--target: " + e.getMessage());
        }
    }

    private static TapeWriter tape(String file) throws IOException {
        try {
            return TapeWriter.to(Path.of(file));
        } catch (FileSystemException e) {
            throw new BadOption(OutputFile.cannotWrite("--record", Path.of(file), FileFailure.reason(e)));
        }
    }

    private static Control control(Proxy proxy, int port) throws IOException {
        try {
            return Control.start(proxy, port);
        } catch (BindException e) {
            throw inUse("--control", port, e);
        }
    }

    /** The JVM does not say which port it is. */
    private static BindException inUse(String option, int port, BindException cause) {
        var named = new BindException(option + " " + port + ": " + cause.getMessage());
        named.initCause(cause);
        return named;
    }

    private ExitCode replay(ParseResult parsed, int listen, CountDownLatch stop)
            throws IOException, InterruptedException {
        for (var option : List.of("--target", "--plan", "--log", "--record", "--control", "--tlsCertificateKeyFile")) {
            if (parsed.hasMatchedOption(option)) {
                throw new BadOption(option + " does not go with --replay: there is no server");
            }
        }
        String file = parsed.matchedOptionValue("--replay", "");
        try (var player = TapePlayer.start(Path.of(file), listen)) {
            out.println("Semel replays " + file + ": " + player.uri());
            out.flush();
            stop.await();
            out.println("requests of the tape that did not come: " + player.left());
        } catch (BindException e) {
            throw inUse("--listen", listen, e);
        } catch (NoSuchFileException e) {
            throw new BadOption("--replay: there is no file " + file);
        } catch (IllegalArgumentException e) {
            throw new BadOption("--replay: " + e.getMessage());
        }
        return ExitCode.CLEAN;
    }

    private static int port(ParseResult parsed, String option) {
        int port = parsed.matchedOptionValue(option, 0);
        if (port < 0 || port > PORT_MAX) {
            throw new BadOption(option + " must be a port, 0 to " + PORT_MAX + ", not " + port);
        }
        return port;
    }

    private static List<Rule> rules(@Nullable String file) {
        if (file == null) {
            return List.of();
        }
        try {
            return PlanText.parse(Files.readString(Path.of(file)), file);
        } catch (BadPlan e) {
            throw new BadOption("--plan: " + e.getMessage());
        } catch (NoSuchFileException e) {
            throw new BadOption("--plan: there is no file " + file);
        } catch (IOException e) {
            throw new BadOption("--plan: cannot read " + file + ": " + e.getMessage());
        }
    }
}

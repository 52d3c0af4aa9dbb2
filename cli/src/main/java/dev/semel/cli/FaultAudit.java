package dev.semel.cli;

import dev.semel.blackpipe.audit.Audit;
import dev.semel.blackpipe.audit.AuditException;
import dev.semel.blackpipe.audit.AuditReport;
import dev.semel.blackpipe.audit.JsonCheck;
import dev.semel.blackpipe.audit.Kind;
import dev.semel.blackpipe.audit.ShellProgram;
import dev.semel.blackpipe.report.HtmlReport;
import dev.semel.blackpipe.report.JUnitReport;
import dev.semel.blackpipe.report.JsonReport;
import dev.semel.blackpipe.report.TextReport;
import dev.semel.wire.FileFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code semel audit}: does a program do its work exactly once, whatever goes wrong? */
final class FaultAudit {
    static final String NAME = "audit";

    private static final String FAULTS =
            Stream.of(Kind.values()).map(Kind::option).collect(Collectors.joining(", "));

    private static final int SELECTION_TIMEOUT_MS = 2_000;
    private static final int LIMIT_MS = 30_000;

    private final PrintWriter out;
    private final PrintWriter err;

    FaultAudit(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    static CommandSpec spec() {
        var spec = CommandSpec.create().name(NAME);
        spec.usageMessage()
                .description("Runs a program without faults to record its messages, then once for each message and each"
                        + " fault, and checks in the data whether its work was done exactly once. Exit code 0: it was."
                        + " 1: it was not. 2: there is no verdict.")
                .footer("", "docs/audit.md has examples in Python and Node.js.");
        spec.addOption(
                Import.text("--target", "URI", "Connection string of the server. Default: mongodb://127.0.0.1:27017."));
        spec.addOption(Import.text(
                "--exec",
                "COMMAND",
                "The program, as a shell command. It takes its connection string from an environment variable, and"
                        + " must use the database named in it."));
        spec.addOption(Import.text(
                "--variable", "NAME", "The environment variable for the connection string. Default: MONGODB_URI."));
        spec.addOption(
                Import.text("--setup", "COMMAND", "Another program, run before each run, directly on the server."));
        spec.addOption(Import.text(
                "--check",
                "JSON",
                "A command and its result if the work was done once, such as"
                        + " '{\"find\": \"days\", \"expect\": [{\"_id\": \"day\", \"counter\": 1}]}'."));
        spec.addOption(Import.text("--name", "TEXT", "The name in reports. Default: the program."));
        spec.addOption(
                Import.text("--faults", "LIST", "Faults to try, separated by commas: " + FAULTS + ". Default: all."));
        spec.addOption(Import.number("--selectionTimeoutMS", "The driver's server selection timeout. Default: 2000."));
        spec.addOption(Import.number(
                "--socketTimeoutMS", "The driver's socket timeout; a stall lasts longer. Default: 2000."));
        spec.addOption(Import.number("--limitMS", "A run that takes longer is stopped. Default: 30000."));
        spec.addOption(Import.number("--parallel", "Number of parallel runs. Default: one per processor."));
        spec.addOption(Import.text("--html", "FILE", "Writes an HTML page with diagrams of the messages."));
        spec.addOption(Import.text("--json", "FILE", "Writes all data as JSON."));
        spec.addOption(Import.text("--junit", "FILE", "Writes a JUnit report."));
        spec.addOption(Import.flag("--quiet", "No progress display."));
        return spec;
    }

    ExitCode run(ParseResult parsed) {
        var audit = audit(parsed);
        OutputFile.check(parsed, "--html", "--json", "--junit");
        try {
            var report = audit.run();
            out.print(TextReport.of(report));
            out.flush();
            write(parsed, "--html", report, HtmlReport::of);
            write(parsed, "--json", report, JsonReport::of);
            write(parsed, "--junit", report, JUnitReport::of);
            return report.isCorrect() ? ExitCode.CLEAN : ExitCode.FAILED;
        } catch (AuditException | IOException e) {
            err.println("semel audit: " + e.getMessage());
            return ExitCode.BAD_OPTIONS;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.BAD_OPTIONS;
        }
    }

    private Audit audit(ParseResult parsed) {
        String program = required(parsed, "--exec");
        var check = check(required(parsed, "--check"));
        String variable = parsed.matchedOptionValue("--variable", "MONGODB_URI");
        @Nullable String setup = parsed.matchedOptionValue("--setup", null);
        var audit = Audit.of(new ShellProgram(program, variable))
                .named(parsed.matchedOptionValue("--name", program))
                .invariant(check)
                .setup(uri -> {
                    if (setup != null) {
                        new ShellProgram(setup, variable).run(uri);
                    }
                    check.lookBefore(uri);
                })
                .faults(faults(parsed.matchedOptionValue("--faults", "")))
                .socketTimeout(ms(parsed, "--socketTimeoutMS", SELECTION_TIMEOUT_MS))
                .selectionTimeout(ms(parsed, "--selectionTimeoutMS", SELECTION_TIMEOUT_MS))
                .limit(ms(parsed, "--limitMS", LIMIT_MS));
        if (parsed.hasMatchedOption("--parallel")) {
            audit.parallel(positive(parsed, "--parallel", 1));
        }
        if (!parsed.hasMatchedOption("--quiet") && Terminal.isWatched()) {
            audit.progress((done, all) -> {
                err.print("\r" + done + " of " + all + " fault points" + (done.equals(all) ? "\n" : ""));
                err.flush();
            });
        }
        try {
            return audit.target(parsed.matchedOptionValue("--target", "mongodb://127.0.0.1:27017"));
        } catch (IllegalArgumentException e) {
            throw new BadOption("--target: " + e.getMessage());
        }
    }

    private static String required(ParseResult parsed, String option) {
        @Nullable String value = parsed.matchedOptionValue(option, null);
        if (value == null || value.isBlank()) {
            throw new BadOption(option + " is missing");
        }
        return value;
    }

    private static JsonCheck check(String text) {
        try {
            return JsonCheck.parse(text);
        } catch (IllegalArgumentException e) {
            throw new BadOption("--check: " + e.getMessage());
        }
    }

    private static Kind[] faults(String list) {
        if (list.isEmpty()) {
            return Kind.values();
        }
        return Stream.of(list.split(",", -1))
                .map(String::strip)
                .map(each -> Kind.of(each)
                        .orElseThrow(() -> new BadOption("--faults: there is no '" + each + "'; there are " + FAULTS)))
                .toArray(Kind[]::new);
    }

    private static Duration ms(ParseResult parsed, String option, int otherwise) {
        return Duration.ofMillis(positive(parsed, option, otherwise));
    }

    private static int positive(ParseResult parsed, String option, int otherwise) {
        int number = parsed.matchedOptionValue(option, otherwise);
        if (number < 1) {
            throw new BadOption(option + " must be 1 or more, not " + number);
        }
        return number;
    }

    private static void write(ParseResult parsed, String option, AuditReport report, Function<AuditReport, String> form)
            throws IOException {
        @Nullable String file = parsed.matchedOptionValue(option, null);
        if (file != null) {
            try {
                Files.writeString(Path.of(file), form.apply(report));
            } catch (FileSystemException e) {
                throw new IOException(OutputFile.cannotWrite(option, Path.of(file), FileFailure.reason(e)), e);
            }
        }
    }
}

package dev.semel.cli;

import dev.semel.blackpipe.audit.AuditException;
import dev.semel.cli.lab.Session;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code semel lab}: strategies against failures, measured on a server in this process and on a set of three. */
final class Lab {
    static final String NAME = "lab";

    private static final int KILLS = 3;

    /** The server's remarks would stand between ours. Kept, or the level would be collected with it. */
    private static final Logger SERVER_LOG = Logger.getLogger("dev.semel");

    private final PrintWriter out;
    private final PrintWriter err;

    Lab(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    static CommandSpec spec() {
        var spec = CommandSpec.create().name(NAME);
        spec.usageMessage()
                .description(
                        "Increments a counter in seven ways and shows its value after faults: first network faults,"
                            + " then on a replica set whose primary is killed. Takes about a minute, needs no server,"
                            + " and writes an HTML page.");
        spec.addOption(Import.text(
                "--html", "FILE", "The page. Default: a new file in the system's folder for temporary files."));
        spec.addOption(OptionSpec.builder("--kills")
                .paramLabel("NUMBER")
                .type(Integer.class)
                .description("How often the primary is killed; 0 leaves the second part out. Default: " + KILLS)
                .build());
        return spec;
    }

    ExitCode run(ParseResult parsed) {
        SERVER_LOG.setLevel(Level.OFF);
        int kills = parsed.<Integer>matchedOptionValue("--kills", KILLS);
        if (kills < 0) {
            err.println("semel lab: --kills is " + kills + "; it can be 0 or more");
            return ExitCode.BAD_OPTIONS;
        }
        OutputFile.check(parsed, "--html");
        @Nullable String named = parsed.matchedOptionValue("--html", null);
        try {
            var page = new Session(out).run(kills);
            var file = named == null ? Files.createTempFile("semel-lab-", ".html") : Path.of(named);
            Files.writeString(file, page);
            out.println("\nThe same with every message drawn: " + file.toAbsolutePath());
            return ExitCode.CLEAN;
        } catch (AuditException | IOException e) {
            err.println("semel lab: " + e.getMessage());
            return ExitCode.FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        }
    }
}

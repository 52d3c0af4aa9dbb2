package dev.semel.cli;

import dev.semel.cli.cluster.Console;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code semel cluster}: a replica set on this machine, to try it out. */
final class StartCluster {
    static final String NAME = "cluster";
    private static final int MEMBERS_MAX = 7;

    /** The driver's remarks about members that are stopped would stand between our lines. Kept, or the level goes. */
    private static final Logger LOG = Logger.getLogger("dev.semel");

    private final PrintWriter out;
    private final PrintWriter err;

    StartCluster(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    static CommandSpec spec() {
        var spec = CommandSpec.create().name(NAME);
        spec.usageMessage()
                .description(
                        "Starts a replica set of several processes on this machine, prints its connection string and a"
                                + " table of its members, and kills, stops, pauses or restarts members on command.");
        spec.addOption(number("--nodes", "Number of members.", "3"));
        spec.addOption(number("--port", "Port of the first member; the others follow.", "27017"));
        spec.addOption(Import.text(
                "--dbpath", "DIR", "Folder for data and logs. Default: a temporary folder, deleted at the end."));
        return spec;
    }

    private static OptionSpec number(String name, String description, String otherwise) {
        return OptionSpec.builder(name)
                .paramLabel("N")
                .type(Integer.class)
                .defaultValue(otherwise)
                .description(description + " Default: " + otherwise)
                .build();
    }

    ExitCode run(ParseResult parsed) {
        LOG.setLevel(Level.OFF);
        int members = parsed.<Integer>matchedOptionValue("--nodes", 3);
        int port = parsed.<Integer>matchedOptionValue("--port", 27017);
        @Nullable String folder = parsed.matchedOptionValue("--dbpath", null);
        if (members < 1 || members > MEMBERS_MAX) {
            err.println("semel cluster: --nodes is %d; it can be 1 to %d".formatted(members, MEMBERS_MAX));
            return ExitCode.BAD_OPTIONS;
        }
        try {
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            if (folder == null) {
                new Console(out).runInTemporaryFolder(members, port, in);
            } else {
                new Console(out).run(members, port, Path.of(folder), in);
            }
            return ExitCode.CLEAN;
        } catch (IOException e) {
            err.println("semel cluster: " + e.getMessage());
            return ExitCode.FAILED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.FAILED;
        }
    }
}

package dev.semel.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/** {@code semel version}: what {@code --version} prints. */
final class Version {
    static final String NAME = "version";

    private final PrintWriter out;

    Version(PrintWriter out) {
        this.out = out;
    }

    static CommandSpec spec() {
        var spec = CommandSpec.create().name(NAME);
        spec.usageMessage().description("Shows the version, the commit, the JDK and the storage engine.");
        return spec;
    }

    ExitCode run() {
        Build.current().lines().forEach(out::println);
        return ExitCode.CLEAN;
    }
}

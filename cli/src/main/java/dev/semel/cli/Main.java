package dev.semel.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code semel}: prints its help; the work is in the subcommands. */
@Command(
        name = "semel",
        description = "A database in Java that speaks the MongoDB protocol.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class)
public final class Main implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    /** Runs one command line and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        Objects.requireNonNull(spec).commandLine().usage(System.out);
    }

    /** Reads the version that the build wrote into the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            var version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"semel " + (version == null ? "(not packaged)" : version)};
        }
    }
}

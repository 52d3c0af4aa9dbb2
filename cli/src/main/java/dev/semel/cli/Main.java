package dev.semel.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code semel}: prints its help; the work is in the subcommands. {@link Start} calls it. */
public final class Main {
    private Main() {}

    /** Runs one command line and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine(System.getenv()).execute(args));
    }

    /** The program, declared by hand: reading annotations would take a good part of its start. */
    static CommandLine commandLine(Map<String, String> environment) {
        var spec = CommandSpec.create()
                .name("semel")
                .versionProvider(Main::version)
                .mixinStandardHelpOptions(true);
        spec.usageMessage().description("A database in Java that speaks the MongoDB protocol.");
        var main = new CommandLine(spec);
        main.setExecutionStrategy(new Runner(environment));
        main.addSubcommand(Serve.NAME, subcommand(Serve.spec()));
        main.addSubcommand(StartCluster.NAME, subcommand(StartCluster.spec()));
        main.addSubcommand(Import.NAME, subcommand(Import.spec()));
        main.addSubcommand(Export.NAME, subcommand(Export.spec()));
        main.addSubcommand(FaultAudit.NAME, subcommand(FaultAudit.spec()));
        main.addSubcommand(Lab.NAME, subcommand(Lab.spec()));
        main.addSubcommand(FaultProxy.NAME, subcommand(FaultProxy.spec()));
        main.addSubcommand(Completion.NAME, subcommand(Completion.spec()));
        main.addSubcommand(Version.NAME, subcommand(Version.spec()));
        main.addSubcommand(Help.NAME, subcommand(Help.spec()));
        var complaints = new Complaints();
        main.setParameterExceptionHandler(complaints);
        main.setExecutionExceptionHandler(complaints);
        main.setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8));
        main.setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        main.setUsageHelpAutoWidth(true);
        return main;
    }

    private static CommandSpec subcommand(CommandSpec spec) {
        return spec.versionProvider(Main::version).mixinStandardHelpOptions(true);
    }

    private static String[] version() {
        return Build.current().lines().toArray(String[]::new);
    }
}

package dev.semel.cli;

import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code semel help}: what {@code --help} prints, of the program or of one command. */
final class Help {
    static final String NAME = "help";

    private final PrintWriter out;

    Help(PrintWriter out) {
        this.out = out;
    }

    static CommandSpec spec() {
        var spec = CommandSpec.create().name(NAME);
        spec.usageMessage().description("Shows the help of the program or of one command.");
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("COMMAND")
                .type(String.class)
                .arity("0..1")
                .description("The command.")
                .build());
        return spec;
    }

    ExitCode run(ParseResult parsed) {
        var main = parsed.commandSpec().root().commandLine();
        named(main, parsed.matchedPositionalValue(0, null)).usage(out);
        return ExitCode.CLEAN;
    }

    private static CommandLine named(CommandLine main, @Nullable String name) {
        if (name == null) {
            return main;
        }
        var found = main.getSubcommands().get(name);
        if (found == null) {
            throw new BadOption("unknown command '" + name + "'"
                    + Nearest.hint(name, main.getSubcommands().keySet()));
        }
        return found;
    }
}

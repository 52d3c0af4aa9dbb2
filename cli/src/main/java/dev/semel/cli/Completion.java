package dev.semel.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code semel completion}: a script that lets a shell complete commands and options. */
final class Completion {
    static final String NAME = "completion";

    private final PrintWriter out;

    Completion(PrintWriter out) {
        this.out = out;
    }

    static CommandSpec spec() {
        var spec = CommandSpec.create().name(NAME);
        spec.usageMessage()
                .description("Prints a script that completes commands and options of semel in a shell.")
                .footer("", "bash, zsh: source <(semel completion bash)", "fish:      semel completion fish | source");
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("bash|zsh|fish")
                .type(String.class)
                .arity("0..1")
                .description("The shell.")
                .build());
        return spec;
    }

    ExitCode run(ParseResult parsed) {
        var main = parsed.commandSpec().root().commandLine();
        @Nullable String shell = parsed.matchedPositionalValue(0, null);
        out.print(
                switch (shell) {
                    case "bash", "zsh" -> AutoComplete.bash(main.getCommandName(), main);
                    case "fish" -> fish(main);
                    case null -> throw new BadOption("which shell? bash, zsh or fish");
                    default -> throw new BadOption("the shell must be bash, zsh or fish, not '" + shell + "'");
                });
        out.flush();
        return ExitCode.CLEAN;
    }

    /** One line for each command and each option: fish needs no program of its own for this. */
    private static String fish(CommandLine main) {
        var script = new StringBuilder();
        main.getSubcommands().forEach((name, command) -> {
            line(script, "__fish_use_subcommand", "-f -a " + name, description(command));
            command.getCommandSpec().options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> line(
                            script, "__fish_seen_subcommand_from " + name, words(option), first(option.description())));
        });
        main.getCommandSpec()
                .options()
                .forEach(option -> line(script, "__fish_use_subcommand", words(option), first(option.description())));
        return script.toString();
    }

    private static void line(StringBuilder script, String condition, String completion, String description) {
        script.append("complete -c semel -n '")
                .append(condition)
                .append("' ")
                .append(completion)
                .append(" -d '")
                .append(description.replace("\\", "\\\\").replace("'", "\\'"))
                .append("'\n");
    }

    private static String words(OptionSpec option) {
        var words = new StringBuilder();
        for (var name : option.names()) {
            words.append(name.startsWith("--") ? "-l " + name.substring(2) : "-s " + name.substring(1))
                    .append(' ');
        }
        return words.append(option.arity().max() > 0 ? "-r" : "-f").toString();
    }

    private static String description(CommandLine command) {
        return first(command.getCommandSpec().usageMessage().description());
    }

    /** The first sentence, which is what a list has room for. */
    private static String first(String[] paragraphs) {
        var text = Arrays.stream(paragraphs)
                .findFirst()
                .orElse("")
                .replace("${DEFAULT-VALUE}", "")
                .replace("%n", " ");
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end + 1);
    }
}

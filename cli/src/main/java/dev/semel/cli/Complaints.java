package dev.semel.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** What the user reads when a command line cannot be used: a line for each thing that is wrong, and where to look. */
final class Complaints implements IParameterExceptionHandler, IExecutionExceptionHandler {
    @Override
    public int handleParseException(ParameterException e, String[] arguments) {
        return complain(e.getCommandLine(), messages(e));
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        if (e instanceof BadOption bad) {
            return complain(command, bad.problems());
        }
        command.getErr().println(command.getCommandSpec().qualifiedName() + ": failed unexpectedly");
        e.printStackTrace(command.getErr());
        return ExitCode.UNCAUGHT.number();
    }

    private static int complain(CommandLine command, List<String> messages) {
        var name = command.getCommandSpec().qualifiedName();
        messages.forEach(each -> command.getErr().println(name + ": " + each));
        command.getErr().println("Try '" + name + " --help'.");
        return ExitCode.BAD_OPTIONS.number();
    }

    private static List<String> messages(ParameterException e) {
        return switch (e) {
            case UnmatchedArgumentException unmatched -> unmatched(unmatched);
            case MissingParameterException missing -> List.of(lowerFirst(missing));
            default -> List.of(lowerFirst(e));
        };
    }

    private static String lowerFirst(ParameterException e) {
        var message = String.valueOf(e.getMessage());
        return message.isEmpty() ? message : Character.toLowerCase(message.charAt(0)) + message.substring(1);
    }

    /** All unknown options; words without a hyphen may be their values, so one of those is named only if it is alone. */
    private static List<String> unmatched(UnmatchedArgumentException e) {
        var spec = e.getCommandLine().getCommandSpec();
        var messages = new ArrayList<String>();
        for (var typed : e.getUnmatched()) {
            if (typed.startsWith("-")) {
                messages.add(unknownOption(typed, e.getCommandLine()));
            }
        }
        if (messages.isEmpty()) {
            var typed = e.getUnmatched().getFirst();
            messages.add(
                    spec.subcommands().isEmpty()
                            ? "unexpected argument '" + typed + "'"
                            : "unknown command '" + typed + "'"
                                    + Nearest.hint(typed, spec.subcommands().keySet()));
        }
        return messages;
    }

    private static String unknownOption(String typed, CommandLine command) {
        int equals = typed.indexOf('=');
        var name = equals < 0 ? typed : typed.substring(0, equals);
        if (command.getCommandSpec().name().equals(Serve.NAME) && MongodOptions.hasOption(name)) {
            return "'" + name + "' is an option of mongod that is not supported yet";
        }
        return "unknown option '" + name + "'" + Nearest.hint(name, options(command));
    }

    private static List<String> options(CommandLine command) {
        var names = new ArrayList<String>();
        command.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .forEach(option -> names.addAll(List.of(option.names())));
        return names;
    }
}

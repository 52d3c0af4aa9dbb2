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

/** What the user reads when a command line cannot be used: one line that names what is wrong, and where to look. */
final class Complaints implements IParameterExceptionHandler, IExecutionExceptionHandler {
    @Override
    public int handleParseException(ParameterException e, String[] arguments) {
        return complain(e.getCommandLine(), message(e));
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
        if (e instanceof BadOption) {
            return complain(command, String.valueOf(e.getMessage()));
        }
        command.getErr().println(command.getCommandSpec().qualifiedName() + ": failed unexpectedly");
        e.printStackTrace(command.getErr());
        return ExitCode.UNCAUGHT.number();
    }

    private static int complain(CommandLine command, String message) {
        var name = command.getCommandSpec().qualifiedName();
        command.getErr().println(name + ": " + message);
        command.getErr().println("Try '" + name + " --help'.");
        return ExitCode.BAD_OPTIONS.number();
    }

    private static String message(ParameterException e) {
        return switch (e) {
            case UnmatchedArgumentException unmatched -> unmatched(unmatched);
            case MissingParameterException missing -> lowerFirst(missing);
            default -> lowerFirst(e);
        };
    }

    private static String lowerFirst(ParameterException e) {
        var message = String.valueOf(e.getMessage());
        return message.isEmpty() ? message : Character.toLowerCase(message.charAt(0)) + message.substring(1);
    }

    private static String unmatched(UnmatchedArgumentException e) {
        var typed = e.getUnmatched().getFirst();
        var spec = e.getCommandLine().getCommandSpec();
        if (!typed.startsWith("-")) {
            return spec.subcommands().isEmpty()
                    ? "nothing is to be done with '" + typed + "'"
                    : "unknown command '" + typed + "'; did you mean '"
                            + Nearest.of(typed, spec.subcommands().keySet()) + "'?";
        }
        int equals = typed.indexOf('=');
        var name = equals < 0 ? typed : typed.substring(0, equals);
        if (spec.name().equals(Serve.NAME) && MongodOptions.hasOption(name)) {
            return "'" + name + "' is an option of mongod that is not supported yet";
        }
        return "unknown option '" + name + "'; did you mean '" + Nearest.of(name, options(e.getCommandLine())) + "'?";
    }

    private static List<String> options(CommandLine command) {
        var names = new ArrayList<String>();
        command.getCommandSpec().options().forEach(option -> names.addAll(List.of(option.names())));
        return names;
    }
}

package dev.semel.cli;

import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.ParseResult;

/** Runs what was parsed: help, the version, or the subcommand. */
final class Runner implements IExecutionStrategy {
    private final Map<String, String> environment;

    Runner(Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public int execute(ParseResult parsed) {
        var helped = CommandLine.executeHelpRequest(parsed);
        if (helped != null) {
            return helped;
        }
        if (!parsed.hasSubcommand()) {
            var main = parsed.commandSpec().commandLine();
            main.usage(main.getOut());
            return ExitCode.CLEAN.number();
        }
        var given = parsed.subcommand();
        var command = given.commandSpec().commandLine();
        try {
            return run(given, command).number();
        } catch (RuntimeException e) {
            throw new ExecutionException(command, "failed", e);
        }
    }

    private ExitCode run(ParseResult given, CommandLine command) {
        return switch (given.commandSpec().name()) {
            case Serve.NAME -> new Serve(command.getOut(), command.getErr(), environment).run(given);
            case StartCluster.NAME -> new StartCluster(command.getOut(), command.getErr()).run(given);
            case Import.NAME -> new Import(command.getErr()).run(given);
            case Export.NAME -> new Export(command.getOut(), command.getErr()).run(given);
            case FaultAudit.NAME -> new FaultAudit(command.getOut(), command.getErr()).run(given);
            case Lab.NAME -> new Lab(command.getOut(), command.getErr()).run(given);
            case FaultProxy.NAME -> new FaultProxy(command.getOut(), command.getErr()).run(given);
            case Completion.NAME -> new Completion(command.getOut()).run(given);
            case Version.NAME -> new Version(command.getOut()).run();
            case Help.NAME -> new Help(command.getOut()).run(given);
            default -> throw new IllegalStateException(given.commandSpec().name());
        };
    }
}

package dev.semel.server.cursor;

import dev.semel.server.command.Call;
import dev.semel.wire.CommandException;
import dev.semel.wire.Namespace;

/** The words with which MongoDB begins a message about what failed while a command ran, not while it was read. */
public final class ExecutorError {
    private ExecutorError() {}

    /** The same failure in the context of its command; commands that have none in MongoDB have none here. */
    public static CommandException of(Call call, Namespace namespace, CommandException failure) {
        return switch (call.spec().name()) {
            case "find" -> failure.inContext("Executor error during find command: " + namespace);
            case "aggregate" -> failure.inContext("Executor error during aggregate command on namespace: " + namespace);
            case "getMore" -> failure.inContext("Executor error during getMore");
            case "findAndModify" -> failure.inContext("Plan executor error during findAndModify");
            default -> failure;
        };
    }
}

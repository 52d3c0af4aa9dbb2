package dev.semel.server.cursor;

import dev.semel.server.command.Call;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import java.util.Set;

/** The words with which MongoDB begins a message about what failed while a command ran, not while it was read. */
public final class ExecutorError {
    /** What is wrong with the command itself: MongoDB finds it before its executor begins. */
    private static final Set<ErrorCode> BEFORE =
            Set.of(ErrorCode.CommandNotSupportedOnView, ErrorCode.InvalidNamespace, ErrorCode.InvalidOptions);

    private static final String PLANNER = "error processing query:";

    private ExecutorError() {}

    /** The same failure in the context of its command; commands that have none in MongoDB have none here. */
    public static CommandException of(Call call, Namespace namespace, CommandException failure) {
        if (BEFORE.contains(failure.code()) || failure.text().startsWith(PLANNER)) {
            return failure;
        }
        return switch (call.spec().name()) {
            case "find" -> failure.inContext("Executor error during find command: " + namespace);
            case "aggregate" -> failure.inContext("Executor error during aggregate command on namespace: " + namespace);
            case "getMore" -> failure.inContext("Executor error during getMore");
            case "distinct" -> failure.inContext("Executor error during distinct command");
            case "findAndModify" -> failure.inContext("Plan executor error during findAndModify");
            default -> failure;
        };
    }
}

package dev.semel.query.script;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import org.mozilla.javascript.ErrorReporter;
import org.mozilla.javascript.EvaluatorException;

/**
 * Ends a function whose calls are nested too deeply, whatever it catches: it could go as deep again in each handler, and every
 * error keeps the frames that it has left.
 */
final class ScriptErrors implements ErrorReporter {
    private static final String TOO_DEEP = "Exceeded maximum stack depth";

    private final ErrorReporter others;

    ScriptErrors(ErrorReporter others) {
        this.others = others;
    }

    @Override
    public void warning(String message, String source, int line, String text, int column) {
        others.warning(message, source, line, text, column);
    }

    @Override
    public void error(String message, String source, int line, String text, int column) {
        others.error(message, source, line, text, column);
    }

    @Override
    public EvaluatorException runtimeError(String message, String source, int line, String text, int column) {
        if (message.equals(TOO_DEEP)) {
            throw new ScriptStopped(
                    new CommandException(ErrorCode.JSInterpreterFailure, "InternalError: too much recursion"));
        }
        return others.runtimeError(message, source, line, text, column);
    }
}

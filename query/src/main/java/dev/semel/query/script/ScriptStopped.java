package dev.semel.query.script;

/** Ends a function where it is. An {@code Error}, because Rhino lets scripts neither catch nor delay those. */
final class ScriptStopped extends Error {
    private static final long serialVersionUID = 1;

    private final transient RuntimeException reason;

    ScriptStopped(RuntimeException reason) {
        super(reason.getMessage(), reason, false, false);
        this.reason = reason;
    }

    RuntimeException reason() {
        return reason;
    }

    /** Runs what may end the command, and the script with it. */
    static void unlessStopped(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            throw new ScriptStopped(e);
        }
    }
}

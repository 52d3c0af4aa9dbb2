package dev.semel.server.statement;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;

/** The server parameter {@code writeAtomicity}: how much an ordered write command undoes when a statement of it fails. */
public enum Atomicity {
    /** All of the command, as TokuMX did. */
    COMMAND("command"),
    /** The failing statement, as MongoDB does. */
    STATEMENT("statement");

    private final String text;

    Atomicity(String text) {
        this.text = text;
    }

    public static Atomicity parse(String text) {
        for (Atomicity each : values()) {
            if (each.text.equals(text)) {
                return each;
            }
        }
        throw new CommandException(
                ErrorCode.BadValue, "writeAtomicity must be 'command' or 'statement', found '%s'", text);
    }

    @Override
    public String toString() {
        return text;
    }
}

package dev.semel.server.commands;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;

/** How much {@code explain} shows: the plan, also what a run of it cost, also that of the plans not taken. */
enum Verbosity {
    QUERY_PLANNER("queryPlanner"),
    EXECUTION_STATS("executionStats"),
    ALL_PLANS_EXECUTION("allPlansExecution");

    private final String text;

    Verbosity(String text) {
        this.text = text;
    }

    static Verbosity parse(String text) {
        for (Verbosity each : values()) {
            if (each.text.equals(text)) {
                return each;
            }
        }
        throw new CommandException(
                ErrorCode.BadValue, "Enumeration value '%s' for field 'explain.verbosity' is not a valid value.", text);
    }

    boolean runs() {
        return this != QUERY_PLANNER;
    }
}

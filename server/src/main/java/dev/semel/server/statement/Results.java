package dev.semel.server.statement;

import dev.semel.wire.CommandException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What became of the statements of a command, by their index; a statement that was not run has no outcome. */
public final class Results {
    private final @Nullable Outcome[] outcomes;

    public Results(int statements) {
        outcomes = new @Nullable Outcome[statements];
    }

    void set(int index, Outcome outcome) {
        outcomes[index] = outcome;
    }

    /** They are to be run, or run again. */
    void clear() {
        clear(0, outcomes.length);
    }

    void clear(int start, int end) {
        Arrays.fill(outcomes, start, end, null);
    }

    /** The whole command was undone because of this statement: no other has an outcome. */
    void undone(int index, CommandException error) {
        clear();
        outcomes[index] = new Outcome.Failed(error);
    }

    public int statements() {
        return outcomes.length;
    }

    public @Nullable Outcome get(int index) {
        return outcomes[index];
    }
}

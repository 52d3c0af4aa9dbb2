package dev.semel.query.expression;

import dev.semel.wire.CommandException;

/** Something that holds memory for a reader who may let it wait for minutes. */
public interface Pausable {
    /** Nobody reads on for some time. May fail, and is then as it was. */
    void pause();

    /** The same behind a batch that is complete: without room on disk, or when the time is up, it keeps what it has. */
    default void pauseIfPossible() {
        try {
            pause();
        } catch (CommandException e) {
            // The next batch finds it as it was.
        }
    }
}

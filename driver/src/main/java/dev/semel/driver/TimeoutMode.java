package dev.semel.driver;

/** What the timeout limits if an operation opens a cursor. Needs a timeout. */
public enum TimeoutMode {
    /** The whole life of the cursor. The default, except for tailable cursors. */
    CURSOR_LIFETIME,

    /** Each call that sends a command. The only mode of tailable cursors and change streams. */
    ITERATION
}

package dev.semel.driver;

/** What the timeout of a view limits where an operation opens a cursor. Needs a timeout to be set. */
public enum TimeoutMode {
    /** All that the cursor does until it is closed. The default, but for tailable cursors. */
    CURSOR_LIFETIME,

    /** Each call that asks the server. The only mode of tailable cursors and change streams. */
    ITERATION
}

package dev.semel.cli;

/** Whether a person watches what goes to standard error. */
final class Terminal {
    private Terminal() {}

    /** The launcher knows; without it, a console is a terminal at both ends. */
    static boolean isWatched() {
        var told = System.getProperty("semel.terminal");
        return told == null ? System.console() != null : Boolean.parseBoolean(told);
    }
}

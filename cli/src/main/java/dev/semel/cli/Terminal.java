package dev.semel.cli;

/** Whether a person watches what goes to standard error. */
final class Terminal {
    private Terminal() {}

    /** Only the launcher knows: the JVM cannot tell before Java 22. */
    static boolean isWatched() {
        return Boolean.getBoolean("semel.terminal");
    }
}

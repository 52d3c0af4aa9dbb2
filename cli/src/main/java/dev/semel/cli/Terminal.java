package dev.semel.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Whether a person watches what goes to standard error, and how that may look. */
final class Terminal {
    /** What the process's standard error is, on Linux. */
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    /** The launcher sets it; without the launcher this is only known on Linux, because the JVM cannot tell before Java 22. */
    static boolean isWatched() {
        return Boolean.getBoolean("semel.terminal") || isTerminal(STANDARD_ERROR);
    }

    private static boolean isTerminal(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().matches("/dev/(pts/|tty|console).*");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** By the conventions that programs share: {@code NO_COLOR} set to anything, or a terminal that can show none. */
    static boolean hasColours(Map<String, String> environment) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
    }
}

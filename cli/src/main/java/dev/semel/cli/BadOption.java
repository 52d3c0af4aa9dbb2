package dev.semel.cli;

import java.io.Serial;
import java.util.List;

/** Options, lines of the configuration file or variables that cannot be used; the program ends with exit code 2. */
final class BadOption extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private final transient List<String> problems;

    BadOption(String problem) {
        this(List.of(problem));
    }

    /** All problems at once, so that one start is enough to find them. */
    BadOption(List<String> problems) {
        super(String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    List<String> problems() {
        return problems;
    }
}

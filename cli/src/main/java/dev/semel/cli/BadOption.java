package dev.semel.cli;

import java.io.Serial;

/** An option, a line of the configuration file or a variable that cannot be used; the program ends with exit code 2. */
final class BadOption extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    BadOption(String message) {
        super(message);
    }
}

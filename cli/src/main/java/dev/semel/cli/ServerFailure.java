package dev.semel.cli;

import java.io.IOException;

/** The server of {@code import} or {@code export} cannot be reached, or refuses what it is asked; the message is one line. */
final class ServerFailure extends IOException {
    private static final long serialVersionUID = 1L;

    ServerFailure(String message, Throwable cause) {
        super(message, cause);
    }
}

package dev.semel.wire.message;

import java.io.IOException;

/** Bytes after which nobody can say where the next message begins; the connection has to end. */
public final class MalformedMessage extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedMessage(String message) {
        super(message);
    }
}

package dev.semel.wire.message;

import java.io.IOException;

/** Bytes after which the beginning of the next message is unknown; the connection has to be closed. */
public final class MalformedMessage extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedMessage(String message) {
        super(message);
    }
}

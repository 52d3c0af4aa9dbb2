package dev.semel.cli.transfer;

import java.io.Serial;

/** A place in a file where a document was expected and is none. */
public final class BadItem extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    private final long line;
    private final boolean last;

    /**
     * What is wrong, and where.
     *
     * @param last whether nothing behind this place can be understood
     */
    BadItem(long line, String message, boolean last) {
        super(message);
        this.line = line;
        this.last = last;
    }

    long line() {
        return line;
    }

    boolean isLast() {
        return last;
    }
}

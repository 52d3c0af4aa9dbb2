package dev.semel.cli.transfer;

import java.io.PrintWriter;

/** What could not be imported: all are counted, and only the first few are printed. */
final class Failures {
    private static final int SHOWN_MAX = 100;

    private final PrintWriter err;
    private long count;

    Failures(PrintWriter err) {
        this.err = err;
    }

    void report(long line, String message) {
        count++;
        if (count <= SHOWN_MAX) {
            err.println("line " + line + ": " + message);
        } else if (count == SHOWN_MAX + 1) {
            err.println("further errors are counted only");
        }
    }

    long count() {
        return count;
    }
}

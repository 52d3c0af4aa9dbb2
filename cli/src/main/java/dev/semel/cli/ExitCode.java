package dev.semel.cli;

/** What the process ends with: {@code mongod}'s numbers, so that what supervises it need not be changed. */
enum ExitCode {
    CLEAN(0),
    FAILED(1),
    BAD_OPTIONS(2),
    /** The Java virtual machine's own number for it, whichever of the two notices first. */
    OUT_OF_MEMORY(3),
    UNRECOVERABLE(14),
    CANNOT_LISTEN(48),
    /** Also a database path that another server uses. */
    UNCAUGHT(100);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}

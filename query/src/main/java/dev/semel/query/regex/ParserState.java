package dev.semel.query.regex;

/** Where a pattern has been read to, and what holds there. The parsers of its parts share it. */
final class ParserState {
    final Scanner in;
    final Groups groups = new Groups();

    /** Of {@link Flags}. */
    int flags;

    /** Within an assertion, or a branch that is there to be called. */
    int assertions;

    ParserState(String pattern, int flags) {
        this.in = new Scanner(pattern);
        this.flags = flags;
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }
}

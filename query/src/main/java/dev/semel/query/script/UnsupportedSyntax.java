package dev.semel.query.script;

/** The language has it, and functions of clients cannot use it here. */
final class UnsupportedSyntax extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnsupportedSyntax(String what) {
        super(what);
    }
}

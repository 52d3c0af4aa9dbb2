package dev.semel.conformance.adapter;

/** The adapter has no way to ask the driver for this. */
public final class Unsupported extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Unsupported(String what) {
        super("not supported: " + what);
    }
}

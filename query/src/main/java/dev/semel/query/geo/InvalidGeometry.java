package dev.semel.query.geo;

/** A value is no shape; the message is MongoDB's. */
public final class InvalidGeometry extends Exception {
    private static final long serialVersionUID = 1;

    /** Without a stack trace: a scan without an index may meet many documents that are none. */
    InvalidGeometry(String format, Object... arguments) {
        super(arguments.length == 0 ? format : format.formatted(arguments), null, false, false);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}

package dev.semel.wire.bson;

/** Text that is no JSON, or no Extended JSON, and where in it that shows. */
public final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long line;
    private final long column;

    public JsonException(String message, long line, long column) {
        super("line " + line + ", column " + column + ": " + message);
        this.line = line;
        this.column = column;
    }

    /** Counted from 1. */
    public long line() {
        return line;
    }

    /** Counted from 1, in UTF-16 units. */
    public long column() {
        return column;
    }
}

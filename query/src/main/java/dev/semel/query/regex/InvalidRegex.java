package dev.semel.query.regex;

/** The text is no regular expression; the message is PCRE2's. */
public final class InvalidRegex extends RuntimeException {
    private static final long serialVersionUID = 1;

    InvalidRegex(String message) {
        super(message, null, false, false);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}

package dev.semel.query.regex;

/** A match was given up because it exceeded a limit; the message is PCRE2's. */
public final class RegexTooHard extends RuntimeException {
    private static final long serialVersionUID = 1;

    RegexTooHard(String message) {
        super(message, null, false, false);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}

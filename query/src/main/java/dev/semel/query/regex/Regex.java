package dev.semel.query.regex;

/** A regular expression that is ready to be looked for. Immutable, and may be shared by threads. */
public final class Regex {
    /** As PCRE2 allows. */
    private static final int LENGTH_MAX = 32_764;

    private final Program program;

    private Regex(Program program) {
        this.program = program;
    }

    /**
     * Reads an expression.
     *
     * @param options of the letters {@code i m s x u}
     * @throws InvalidRegex saying what is wrong with the pattern
     */
    public static Regex compile(String pattern, String options) {
        if (pattern.length() > LENGTH_MAX) {
            throw new InvalidRegex("pattern string is longer than the limit set by the application");
        }
        return new Regex(Compiler.compile(Parser.parse(pattern, flags(options))));
    }

    private static int flags(String options) {
        int flags = 0;
        for (int i = 0; i < options.length(); i++) {
            flags |= switch (options.charAt(i)) {
                case 'i' -> Flags.IGNORE_CASE;
                case 'm' -> Flags.MULTILINE;
                case 's' -> Flags.DOT_ALL;
                case 'x' -> Flags.EXTENDED;
                default -> 0;
            };
        }
        return flags;
    }

    /**
     * Begins to look.
     *
     * @param checkpoint called again and again while it takes long; throws to end it
     * @throws RegexTooHard from the result's methods, if it takes too long or too much memory
     */
    public Search search(String text, Runnable checkpoint) {
        return new Search(program, text, checkpoint);
    }
}

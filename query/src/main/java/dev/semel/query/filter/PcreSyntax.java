package dev.semel.query.filter;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * Rewrites a regular expression from PCRE's syntax to the JDK's where the two differ: named groups, POSIX classes, square
 * brackets and ampersands within a class, braces that are no quantifier, verbs at the beginning.
 */
final class PcreSyntax {
    private static final Map<String, String> CLASSES = Map.ofEntries(
            Map.entry("alpha", "\\p{Alpha}"),
            Map.entry("digit", "\\p{Digit}"),
            Map.entry("alnum", "\\p{Alnum}"),
            Map.entry("upper", "\\p{Upper}"),
            Map.entry("lower", "\\p{Lower}"),
            Map.entry("punct", "\\p{Punct}"),
            Map.entry("graph", "\\p{Graph}"),
            Map.entry("print", "\\p{Print}"),
            Map.entry("blank", "\\p{Blank}"),
            Map.entry("cntrl", "\\p{Cntrl}"),
            Map.entry("xdigit", "\\p{XDigit}"),
            Map.entry("space", "\\p{Space}"),
            Map.entry("word", "\\w"));

    private final String pattern;
    private final boolean comments;
    private final StringBuilder out = new StringBuilder();
    private int at;
    private int flags;

    PcreSyntax(String pattern, boolean comments) {
        this.pattern = pattern;
        this.comments = comments;
        verbs();
        while (at < pattern.length()) {
            outside();
        }
    }

    String translated() {
        return out.toString();
    }

    /** Flags that verbs at the beginning asked for. */
    int flags() {
        return flags;
    }

    private void verbs() {
        while (true) {
            if (skip("(*UCP)")) {
                flags |= Pattern.UNICODE_CHARACTER_CLASS;
            } else if (!skip("(*UTF8)") && !skip("(*UTF)")) {
                return;
            }
        }
    }

    private void outside() {
        char c = pattern.charAt(at);
        switch (c) {
            case '\\' -> escape();
            case '[' -> openClass();
            case '{' -> brace();
            case '(' -> group();
            case '#' -> comment();
            default -> {
                out.append(c);
                at++;
            }
        }
    }

    private void escape() {
        if (skip("\\Q")) {
            int end = pattern.indexOf("\\E", at);
            String literal = pattern.substring(at, end < 0 ? pattern.length() : end);
            out.append(Pattern.quote(literal));
            at = end < 0 ? pattern.length() : end + 2;
        } else if (pattern.startsWith("\\g{", at) && pattern.indexOf('}', at) > 0) {
            int end = pattern.indexOf('}', at);
            reference(pattern.substring(at + 3, end));
            at = end + 1;
        } else {
            out.append(pattern, at, Math.min(at + 2, pattern.length()));
            at += 2;
        }
    }

    private void reference(String name) {
        boolean number = !name.isEmpty() && name.chars().allMatch(c -> c >= '0' && c <= '9');
        out.append(number ? "(?:\\" + name + ")" : "\\k<" + name + ">");
    }

    /** A brace that does not begin a quantifier stands for itself. */
    private void brace() {
        int end = pattern.indexOf('}', at);
        boolean quantifier = end > 0 && pattern.substring(at + 1, end).matches("\\d+(,\\d*)?");
        out.append(quantifier ? "{" : "\\{");
        at++;
    }

    private void group() {
        if (skip("(?P<")) {
            out.append("(?<");
        } else if (pattern.startsWith("(?P=", at) && pattern.indexOf(')', at) > 0) {
            int end = pattern.indexOf(')', at);
            reference(pattern.substring(at + 4, end));
            at = end + 1;
        } else if (skip("(?#")) {
            int end = pattern.indexOf(')', at);
            at = end < 0 ? pattern.length() : end + 1;
        } else {
            out.append('(');
            at++;
        }
    }

    /** A comment of the extended syntax, copied so that nothing in it is taken for syntax. */
    private void comment() {
        if (!comments) {
            out.append('#');
            at++;
            return;
        }
        int end = pattern.indexOf('\n', at);
        at = end < 0 ? pattern.length() : end;
    }

    private void openClass() {
        out.append('[');
        at++;
        if (skip("^")) {
            out.append('^');
        }
        if (skip("]")) {
            out.append("\\]");
        }
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            if (c == ']') {
                out.append(']');
                at++;
                return;
            }
            inClass(c);
        }
    }

    private void inClass(char c) {
        switch (c) {
            case '\\' -> {
                // Backspace within a class, a word's edge without: only PCRE has both.
                out.append(
                        pattern.startsWith("\\b", at)
                                ? "\\x08"
                                : pattern.substring(at, Math.min(at + 2, pattern.length())));
                at += 2;
            }
            case '[' -> posixClass();
            case '&' -> literal(c);
            default -> {
                if (c == '#' || c == ' ' || c == '\t') {
                    literal(c);
                } else {
                    out.append(c);
                    at++;
                }
            }
        }
    }

    private void literal(char c) {
        out.append('\\').append(c);
        at++;
    }

    private void posixClass() {
        int end = pattern.indexOf(":]", at);
        if (pattern.startsWith("[:", at) && end > 0) {
            String name = pattern.substring(at + 2, end);
            boolean negated = name.startsWith("^");
            String known = CLASSES.get(negated ? name.substring(1) : name);
            if (known != null) {
                out.append(negated ? "[^" + known + "]" : known);
                at = end + 2;
                return;
            }
        }
        literal('[');
    }

    private boolean skip(String text) {
        if (!pattern.startsWith(text, at)) {
            return false;
        }
        at += text.length();
        return true;
    }
}

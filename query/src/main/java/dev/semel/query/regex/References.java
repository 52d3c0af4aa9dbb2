package dev.semel.query.regex;

import dev.semel.query.regex.Node.Reference;

/** Reads how a pattern refers to its groups: by number, by distance or by name. */
final class References {
    private static final String UNFINISHED_NAME = "syntax error in subpattern name (missing terminator?)";

    private static final int NAME_LENGTH_MAX = 32;

    private final Scanner in;
    private final Groups groups;

    References(ParserState state) {
        this.in = state.in;
        this.groups = state.groups;
    }

    static Reference named(String name) {
        return new Reference(0, name);
    }

    static Reference notWhole(Reference reference) {
        if (reference.name() == null && reference.number() == 0) {
            throw new InvalidRegex("a numbered reference must not be zero");
        }
        return reference;
    }

    /** A number, a number with a sign, or a name. */
    Reference parse(String text) {
        boolean minus = text.startsWith("-");
        boolean signed = minus || text.startsWith("+");
        String digits = signed ? text.substring(1) : text;
        if (!digits.isEmpty() && digits.length() <= 5 && digits.chars().allMatch(c -> Scanner.isDigit((char) c))) {
            int number = Integer.parseInt(digits);
            return signed ? relative(number, minus) : new Reference(number, null);
        }
        return named(checkedName(text));
    }

    Reference relative(int distance, boolean back) {
        int number = back ? groups.count() - distance + 1 : groups.count() + distance;
        if (distance == 0 || number < 1) {
            throw new InvalidRegex("reference to non-existent subpattern");
        }
        return new Reference(number, null);
    }

    /** What stands in {@code <> '' {}}. */
    String bracketed(String orElse) {
        if (in.skip("<")) {
            return in.until(">", UNFINISHED_NAME);
        }
        if (in.skip("'")) {
            return in.until("'", UNFINISHED_NAME);
        }
        if (in.skip("{")) {
            return in.until("}", UNFINISHED_NAME);
        }
        throw new InvalidRegex(orElse);
    }

    static String checkedName(String name) {
        if (name.isEmpty()) {
            throw new InvalidRegex("subpattern name expected");
        }
        if (Scanner.isDigit(name.charAt(0))) {
            throw new InvalidRegex("subpattern name must start with a non-digit");
        }
        if (name.length() > NAME_LENGTH_MAX) {
            throw new InvalidRegex("subpattern name is too long (maximum 32 code units)");
        }
        if (!name.codePoints().allMatch(c -> c == '_' || Character.isLetterOrDigit(c))) {
            throw new InvalidRegex(UNFINISHED_NAME);
        }
        return name;
    }
}

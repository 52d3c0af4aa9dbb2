package dev.semel.query.regex;

import dev.semel.query.regex.Node.Greed;
import dev.semel.query.regex.Node.Place;
import dev.semel.query.regex.Quantifiers.Quantifier;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads PCRE2's syntax as of 10.42, always as UTF. What begins with a parenthesis, a backslash or a bracket has a parser of its
 * own.
 */
final class Parser {
    /** As PCRE2 allows; also what guards the stack for everything that recurses over nodes. */
    private static final int DEPTH_MAX = 250;

    private final ParserState state;
    private final Scanner in;
    private final Groups groups;
    private final Quantifiers quantifiers;
    private final Literals literals;
    private final EscapeParser escapes;
    private final GroupParser inParentheses;
    private int depth;

    /** After {@code \Q}. */
    private boolean quoting;

    private Parser(ParserState state) {
        this.state = state;
        this.in = state.in;
        this.groups = state.groups;
        this.quantifiers = new Quantifiers(in);
        this.literals = new Literals(state);
        References references = new References(state);
        this.escapes = new EscapeParser(state, references, quantifiers, literals);
        this.inParentheses = new GroupParser(this, state, references, escapes);
    }

    /** @param flags of {@link Flags} */
    static Parsed parse(String pattern, int flags) {
        ParserState state = new ParserState(pattern, flags);
        Parser parser = new Parser(state);
        parser.settings();
        Node root = parser.choice();
        if (!state.in.atEnd()) {
            throw new InvalidRegex("unmatched closing parenthesis");
        }
        return state.groups.parsed(root);
    }

    /** What may stand at the very beginning. */
    private void settings() {
        while (in.startsWith("(*")) {
            if (in.skip("(*UCP)")) {
                state.flags |= Flags.UNICODE;
            } else if (!skipsSetting()) {
                return;
            }
        }
    }

    private boolean skipsSetting() {
        // How to match is not the client's to say here, and newlines are MongoDB's.
        for (String each : List.of(
                "(*UTF)",
                "(*UTF8)",
                "(*LF)",
                "(*BSR_UNICODE)",
                "(*NO_AUTO_POSSESS)",
                "(*NO_DOTSTAR_ANCHOR)",
                "(*NO_JIT)",
                "(*NO_START_OPT)")) {
            if (in.skip(each)) {
                return true;
            }
        }
        for (String each : List.of("(*LIMIT_MATCH=", "(*LIMIT_DEPTH=", "(*LIMIT_RECURSION=", "(*LIMIT_HEAP=")) {
            if (in.skip(each)) {
                in.until(")", "(*VERB) not recognized or malformed");
                return true;
            }
        }
        return false;
    }

    Node choice() {
        List<Node> branches = branches(false);
        return branches.size() == 1 ? branches.getFirst() : new Node.Choice(branches);
    }

    /** @param reset each branch begins with the same number of its groups */
    List<Node> branches(boolean reset) {
        if (++depth > DEPTH_MAX) {
            throw new InvalidRegex("parentheses are too deeply nested");
        }
        int first = groups.count();
        int most = first;
        List<Node> branches = new ArrayList<>();
        do {
            if (reset) {
                groups.continueBehind(first);
            }
            branches.add(sequence());
            most = Math.max(most, groups.count());
        } while (in.skip("|"));
        groups.continueBehind(most);
        depth--;
        return List.copyOf(branches);
    }

    private Node sequence() {
        List<Node> parts = new ArrayList<>();
        while (true) {
            skipIgnored();
            if (in.atEnd() || (!quoting && (in.peek() == '|' || in.peek() == ')'))) {
                return parts.size() == 1 ? parts.getFirst() : new Node.Sequence(List.copyOf(parts));
            }
            Node atom = atom();
            if (atom != null) {
                parts.add(quantified(atom));
            }
        }
    }

    /** Comments, blanks of the extended syntax, the marks of quoting. */
    private void skipIgnored() {
        while (!in.atEnd()) {
            if (quoting) {
                if (!in.skip("\\E")) {
                    return;
                }
                quoting = false;
            } else if (in.skip("\\Q")) {
                quoting = true;
            } else if (in.skip("(?#")) {
                in.until(")", "missing ) after (?# comment");
            } else if (state.has(Flags.EXTENDED) && in.skip("#")) {
                in.skipPast("\n");
            } else if (state.has(Flags.EXTENDED) && isBlank(in.peek())) {
                in.next();
            } else if (!in.skip("\\E")) {
                return;
            }
        }
    }

    private static boolean isBlank(char c) {
        return c == ' '
                || (c >= '\t' && c <= '\r')
                || c == 0x85
                || (c >= 0x200e && c <= 0x200f)
                || (c >= 0x2028 && c <= 0x2029);
    }

    private Node quantified(Node atom) {
        Node node = atom;
        int stacked = 0;
        while (true) {
            skipIgnored();
            Quantifier quantifier = quoting ? null : quantifiers.next();
            if (quantifier == null) {
                return node;
            }
            if (++stacked + depth > DEPTH_MAX) {
                throw new InvalidRegex("parentheses are too deeply nested");
            }
            Greed greed = in.skip("+")
                    ? Greed.POSSESSIVE
                    : in.skip("?") != state.has(Flags.SWAPS_GREED) ? Greed.LAZY : Greed.GREEDY;
            node = new Node.Repeat(node, quantifier.min(), quantifier.max(), greed);
        }
    }

    /** Null for what is no item: a change of state.flags. */
    private @Nullable Node atom() {
        if (quoting) {
            return literals.of(in.next());
        }
        char c = in.peek();
        if (c == '*' || c == '+' || c == '?' || quantifiers.isCount()) {
            throw new InvalidRegex("quantifier does not follow a repeatable item");
        }
        if (in.skip("(")) {
            return inParentheses.parse();
        }
        if (in.skip("\\")) {
            return escapes.parse();
        }
        if (in.startsWith("[[:<:]]") || in.startsWith("[[:>:]]")) {
            return wordEdge(in.skip("[[:<:]]"));
        }
        int next = in.next();
        return switch (next) {
            case '[' ->
                new Node.OneOf(new ClassParser(
                                in,
                                state.has(Flags.UNICODE),
                                state.has(Flags.IGNORE_CASE),
                                state.has(Flags.EXTENDED_MORE))
                        .parse());
            case '.' -> new Node.OneOf(state.has(Flags.DOT_ALL) ? CharSet.ALL : CharSet.ALL_BUT_NEWLINE);
            case '^' -> new Node.At(state.has(Flags.MULTILINE) ? Place.LINE_START : Place.TEXT_START);
            case '$' -> new Node.At(state.has(Flags.MULTILINE) ? Place.LINE_END : Place.TEXT_END_OR_LAST_NEWLINE);
            default -> literals.of(next);
        };
    }

    /** At an edge where a word begins, or ends. */
    private Node wordEdge(boolean begins) {
        if (!begins) {
            in.skip("[[:>:]]");
        }
        Node word = new Node.OneOf(CharSet.of(state.has(Flags.UNICODE) ? Classes::isUnicodeWord : Classes::isWord));
        return new Node.Sequence(List.of(new Node.At(escapes.edge(true)), new Node.Look(begins, false, word)));
    }
}

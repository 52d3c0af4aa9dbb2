package dev.semel.query.regex;

import dev.semel.query.regex.Node.Reference;
import org.jspecify.annotations.Nullable;

/** Reads what stands in parentheses. */
final class GroupParser {
    private static final String UNFINISHED_CALL = "missing closing parenthesis";

    private final Parser parser;
    private final ParserState state;
    private final Scanner in;
    private final References references;
    private final EscapeParser escapes;
    private final ConditionalParser conditionals;
    private final VerbParser verbs;

    GroupParser(Parser parser, ParserState state, References references, EscapeParser escapes) {
        this.parser = parser;
        this.state = state;
        this.in = state.in;
        this.references = references;
        this.escapes = escapes;
        this.conditionals = new ConditionalParser(parser, this, state, references);
        this.verbs = new VerbParser(parser, this, state);
    }

    /** Behind the opening parenthesis; null for what is no item: a change of flags. */
    @Nullable
    Node parse() {
        if (in.peek() == '*') {
            return verbs.parse();
        }
        if (!in.skip("?")) {
            return state.has(Flags.NO_AUTO_CAPTURE) ? inside(parser::choice) : capture(null);
        }
        if (in.skip("P")) {
            return pythonStyle();
        }
        if (in.skip("<=")) {
            return look(false, false);
        }
        if (in.skip("<!")) {
            return look(false, true);
        }
        char c = in.peek();
        if (c == '<' || c == '\'') {
            return capture(References.checkedName(references.bracketed("subpattern name expected")));
        }
        if (Scanner.isDigit(c) || ((c == '+' || c == '-') && Scanner.isDigit(in.peek(1)))) {
            return new Node.Call(references.parse(in.until(")", UNFINISHED_CALL)));
        }
        if (in.atEnd()) {
            throw new InvalidRegex("unrecognized character after (? or (?-");
        }
        return switch (c) {
            case ':' -> skipAnd(() -> inside(parser::choice));
            case '|' -> skipAnd(() -> inside(() -> new Node.Choice(parser.branches(true))));
            case '>' -> skipAnd(() -> new Node.Atomic(inside(parser::choice)));
            case '=' -> skipAnd(() -> look(true, false));
            case '!' -> skipAnd(() -> look(true, true));
            case '(' -> skipAnd(conditionals::parse);
            case 'R' -> {
                in.next();
                close("(?R (recursive pattern call) must be followed by a closing parenthesis");
                yield new Node.Call(new Reference(0, null));
            }
            case '&' -> {
                in.next();
                yield new Node.Call(References.named(References.checkedName(in.until(")", UNFINISHED_CALL))));
            }
            case 'C' -> {
                in.until(")", "closing parenthesis for (?C expected");
                yield Node.EMPTY;
            }
            default -> flags();
        };
    }

    interface Part {
        Node read();
    }

    private Node skipAnd(Part rest) {
        in.next();
        return rest.read();
    }

    /** A group's content and its closing parenthesis; flags end with it. */
    Node inside(Part content) {
        int before = state.flags;
        Node node = content.read();
        state.flags = before;
        close("missing closing parenthesis");
        return node;
    }

    void close(String orElse) {
        if (!in.skip(")")) {
            throw new InvalidRegex(orElse);
        }
    }

    private Node capture(@Nullable String name) {
        int group = state.groups.begin(name, state.has(Flags.DUPLICATE_NAMES));
        Node node = new Node.Capture(group, inside(parser::choice));
        state.groups.end(group, node);
        return node;
    }

    private Node pythonStyle() {
        if (in.peek() == '<') {
            return capture(References.checkedName(references.bracketed("subpattern name expected")));
        }
        if (in.skip("=")) {
            return escapes.backReference(References.named(References.checkedName(in.until(")", UNFINISHED_CALL))));
        }
        if (in.skip(">")) {
            return new Node.Call(References.named(References.checkedName(in.until(")", UNFINISHED_CALL))));
        }
        throw new InvalidRegex("unrecognized character after (?P");
    }

    Node.Look look(boolean ahead, boolean negative) {
        state.assertions++;
        Node body = inside(parser::choice);
        state.assertions--;
        return new Node.Look(ahead, negative, body);
    }

    private @Nullable Node flags() {
        int before = state.flags;
        boolean on = true;
        if (in.skip("^")) {
            state.flags &= ~(Flags.IGNORE_CASE
                    | Flags.MULTILINE
                    | Flags.DOT_ALL
                    | Flags.EXTENDED
                    | Flags.EXTENDED_MORE
                    | Flags.NO_AUTO_CAPTURE);
        }
        while (true) {
            if (in.skip(")")) {
                return null;
            }
            if (in.skip(":")) {
                int changed = state.flags;
                state.flags = before;
                return inside(() -> {
                    state.flags = changed;
                    return parser.choice();
                });
            }
            if (on && in.skip("-")) {
                on = false;
            } else {
                int bits = flag();
                state.flags = on ? state.flags | bits : state.flags & ~bits;
            }
        }
    }

    private int flag() {
        if (in.skip("xx")) {
            return Flags.EXTENDED | Flags.EXTENDED_MORE;
        }
        return switch (in.atEnd() ? 0 : in.next()) {
            case 'i' -> Flags.IGNORE_CASE;
            case 'm' -> Flags.MULTILINE;
            case 's' -> Flags.DOT_ALL;
            case 'x' -> Flags.EXTENDED;
            case 'n' -> Flags.NO_AUTO_CAPTURE;
            case 'J' -> Flags.DUPLICATE_NAMES;
            case 'U' -> Flags.SWAPS_GREED;
            default -> throw new InvalidRegex("unrecognized character after (? or (?-");
        };
    }
}

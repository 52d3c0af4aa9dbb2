package dev.semel.query.regex;

import dev.semel.query.regex.Node.Condition;
import dev.semel.query.regex.Node.Reference;
import java.util.List;

/** Reads {@code (?(condition)then|otherwise)}. */
final class ConditionalParser {
    private static final String UNFINISHED_CONDITION = "missing closing parenthesis for condition";

    private final Parser parser;
    private final GroupParser groups;
    private final ParserState state;
    private final Scanner in;
    private final References references;

    ConditionalParser(Parser parser, GroupParser groups, ParserState state, References references) {
        this.parser = parser;
        this.groups = groups;
        this.state = state;
        this.in = state.in;
        this.references = references;
    }

    /** Behind the second parenthesis. */
    Node parse() {
        Condition condition = condition();
        boolean defines = condition instanceof Condition.Define;
        int before = state.assertions;
        state.assertions += defines ? 1 : 0;
        int flagsBefore = state.flags;
        List<Node> branches = parser.branches(false);
        state.flags = flagsBefore;
        state.assertions = before;
        groups.close("missing closing parenthesis");
        if (defines && branches.size() > 1) {
            throw new InvalidRegex("DEFINE subpattern contains more than one branch");
        }
        if (branches.size() > 2) {
            throw new InvalidRegex("conditional subpattern contains more than two branches");
        }
        return new Node.Conditional(
                condition, branches.getFirst(), branches.size() == 2 ? branches.get(1) : Node.EMPTY);
    }

    private Condition condition() {
        for (var kind : List.of("?=", "?!", "?<=", "?<!", "*pla:", "*nla:", "*plb:", "*nlb:")) {
            if (in.skip(kind)) {
                boolean ahead = kind.startsWith("?") ? kind.length() == 2 : kind.charAt(3) == 'a';
                boolean negative = kind.contains("!") || kind.startsWith("*n");
                return new Condition.Assertion(groups.look(ahead, negative));
            }
        }
        char c = in.peek();
        if (c == '?' || c == '*') {
            throw new InvalidRegex("assertion expected after (?( or (?(?C)");
        }
        if (c == '<' || c == '\'') {
            Reference reference =
                    References.named(References.checkedName(references.bracketed("subpattern name expected")));
            groups.close(UNFINISHED_CONDITION);
            return new Condition.IsSet(reference);
        }
        String text = in.until(")", UNFINISHED_CONDITION);
        if (text.equals("DEFINE") && !state.groups.isName("DEFINE")) {
            return new Condition.Define();
        }
        if (text.startsWith("R&")) {
            return new Condition.InCall(References.named(References.checkedName(text.substring(2))));
        }
        if (text.equals("R") && !state.groups.isName("R")) {
            return new Condition.InCall(null);
        }
        if (text.matches("R\\d{1,5}") && !state.groups.isName(text)) {
            return new Condition.InCall(new Reference(Integer.parseInt(text.substring(1)), null));
        }
        return new Condition.IsSet(References.notWhole(references.parse(text)));
    }
}

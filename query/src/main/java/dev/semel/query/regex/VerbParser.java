package dev.semel.query.regex;

import dev.semel.query.regex.Node.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads {@code (*VERB)}, and assertions that are written out: {@code (*pla:...)}. */
final class VerbParser {
    private interface Assertion {
        Node read(GroupParser groups, Parser parser);
    }

    private static final Map<String, Assertion> ASSERTIONS = Map.of(
            "*pla:", (groups, parser) -> groups.look(true, false),
            "*positive_lookahead:", (groups, parser) -> groups.look(true, false),
            "*nla:", (groups, parser) -> groups.look(true, true),
            "*negative_lookahead:", (groups, parser) -> groups.look(true, true),
            "*plb:", (groups, parser) -> groups.look(false, false),
            "*positive_lookbehind:", (groups, parser) -> groups.look(false, false),
            "*nlb:", (groups, parser) -> groups.look(false, true),
            "*negative_lookbehind:", (groups, parser) -> groups.look(false, true),
            "*atomic:", (groups, parser) -> new Node.Atomic(groups.inside(parser::choice)));

    private final Parser parser;
    private final GroupParser groups;
    private final ParserState state;
    private final Scanner in;

    VerbParser(Parser parser, GroupParser groups, ParserState state) {
        this.parser = parser;
        this.groups = groups;
        this.state = state;
        this.in = state.in;
    }

    /** Behind the opening parenthesis. */
    Node parse() {
        for (var word : ASSERTIONS.entrySet()) {
            if (in.skip(word.getKey())) {
                return word.getValue().read(groups, parser);
            }
        }
        String text = in.until(")", "(*VERB) not recognized or malformed").substring(1);
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        boolean named = colon >= 0 && colon + 1 < text.length();
        return switch (name) {
            case "FAIL", "F" -> new Node.Control(Verb.FAIL);
            case "ACCEPT" -> accept();
            case "COMMIT" -> control(Verb.COMMIT);
            case "PRUNE" -> control(Verb.PRUNE);
            case "SKIP" -> {
                if (named) {
                    throw new InvalidRegex("(*SKIP:NAME) is not supported");
                }
                yield control(Verb.SKIP);
            }
            case "MARK", "" -> {
                if (!named) {
                    throw new InvalidRegex("(*MARK) must have an argument");
                }
                yield Node.EMPTY;
            }
            case "THEN" -> throw new InvalidRegex("(*THEN) is not supported");
            default -> throw new InvalidRegex("(*VERB) not recognized or malformed");
        };
    }

    private Node control(Verb verb) {
        if (state.assertions > 0) {
            throw new InvalidRegex("(*" + verb + ") within an assertion is not supported");
        }
        return new Node.Control(verb);
    }

    /** Closes the groups that are open, and ends the match. */
    private Node accept() {
        control(Verb.ACCEPT);
        List<Node> parts = new ArrayList<>();
        state.groups.open().forEach(group -> parts.add(new Node.Close(group)));
        parts.add(new Node.Control(Verb.ACCEPT));
        return new Node.Sequence(List.copyOf(parts));
    }
}

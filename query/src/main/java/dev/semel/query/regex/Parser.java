package dev.semel.query.regex;

import dev.semel.query.regex.Escapes.Found;
import dev.semel.query.regex.Node.Condition;
import dev.semel.query.regex.Node.Greed;
import dev.semel.query.regex.Node.Place;
import dev.semel.query.regex.Node.Reference;
import dev.semel.query.regex.Node.Verb;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Reads PCRE2's syntax as of 10.42, always as UTF. */
final class Parser {
    static final int IGNORE_CASE = 1;
    static final int MULTILINE = 1 << 1;
    static final int DOT_ALL = 1 << 2;
    static final int EXTENDED = 1 << 3;
    static final int EXTENDED_MORE = 1 << 4;
    static final int NO_AUTO_CAPTURE = 1 << 5;
    static final int DUPLICATE_NAMES = 1 << 6;
    static final int SWAPS_GREED = 1 << 7;
    static final int UNICODE = 1 << 8;

    /** As PCRE2 allows; also what guards the stack for everything that recurses over nodes. */
    private static final int DEPTH_MAX = 250;

    private static final int REPEAT_MAX = 65_535;
    private static final int NUMBER_MAX = 65_535;
    private static final int NAME_LENGTH_MAX = 32;
    private static final Node EMPTY = new Node.Sequence(List.of());
    private static final Node NEVER = new Node.Control(Verb.FAIL);
    private static final Node ANY_NEWLINE = anyNewline();

    private final Scanner in;
    private final Escapes escapes;
    private final Map<String, List<Integer>> names = new HashMap<>();
    private final Map<Integer, Node> bodies = new HashMap<>();

    /** Those whose end has not been read; innermost first. */
    private final Deque<Integer> open = new ArrayDeque<>();

    private int flags;
    private int groups;
    private int depth;

    /** Within an assertion, or a branch that is there to be called. */
    private int assertions;

    /** After {@code \Q}. */
    private boolean quoting;

    private Parser(String pattern, int flags) {
        this.in = new Scanner(pattern);
        this.escapes = new Escapes(in);
        this.flags = flags;
    }

    static Parsed parse(String pattern, int flags) {
        Parser parser = new Parser(pattern, flags);
        parser.settings();
        Node root = parser.choice();
        if (!parser.in.atEnd()) {
            throw new InvalidRegex("unmatched closing parenthesis");
        }
        parser.bodies.put(0, root);
        return new Parsed(root, parser.groups, parser.names, parser.bodies);
    }

    private static Node anyNewline() {
        Node pair = new Node.Sequence(List.of(new Node.Literal('\r'), new Node.Literal('\n')));
        Node one = new Node.OneOf(CharSet.of(Classes::isVerticalSpace));
        return new Node.Atomic(new Node.Choice(List.of(pair, one)));
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    /** What may stand at the very beginning. */
    private void settings() {
        while (in.startsWith("(*")) {
            if (in.skip("(*UCP)")) {
                flags |= UNICODE;
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

    // ---- a|b, ab

    private Node choice() {
        List<Node> branches = branches(false);
        return branches.size() == 1 ? branches.getFirst() : new Node.Choice(branches);
    }

    /** @param reset each branch begins with the same number of its groups */
    private List<Node> branches(boolean reset) {
        if (++depth > DEPTH_MAX) {
            throw new InvalidRegex("parentheses are too deeply nested");
        }
        int first = groups;
        int most = groups;
        List<Node> branches = new ArrayList<>();
        do {
            if (reset) {
                groups = first;
            }
            branches.add(sequence());
            most = Math.max(most, groups);
        } while (in.skip("|"));
        groups = most;
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
            } else if (has(EXTENDED) && in.skip("#")) {
                in.skipPast("\n");
            } else if (has(EXTENDED) && isBlank(in.peek())) {
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

    // ---- x*, x{2,3}

    private record Quantifier(int min, int max) {}

    private Node quantified(Node atom) {
        Node node = atom;
        int stacked = 0;
        while (true) {
            skipIgnored();
            Quantifier quantifier = quoting ? null : quantifier();
            if (quantifier == null) {
                return node;
            }
            if (++stacked + depth > DEPTH_MAX) {
                throw new InvalidRegex("parentheses are too deeply nested");
            }
            Greed greed =
                    in.skip("+") ? Greed.POSSESSIVE : in.skip("?") != has(SWAPS_GREED) ? Greed.LAZY : Greed.GREEDY;
            node = new Node.Repeat(node, quantifier.min, quantifier.max, greed);
        }
    }

    private @Nullable Quantifier quantifier() {
        if (in.skip("*")) {
            return new Quantifier(0, Node.UNLIMITED);
        }
        if (in.skip("+")) {
            return new Quantifier(1, Node.UNLIMITED);
        }
        if (in.skip("?")) {
            return new Quantifier(0, 1);
        }
        return isCount() ? count() : null;
    }

    /** Whether here is {@code {2}}, {@code {2,}} or {@code {2,3}}; any other brace stands for itself. */
    private boolean isCount() {
        if (in.peek() != '{' || !Scanner.isDigit(in.peek(1))) {
            return false;
        }
        int i = 1;
        while (Scanner.isDigit(in.peek(i))) {
            i++;
        }
        if (in.peek(i) == ',') {
            i++;
            while (Scanner.isDigit(in.peek(i))) {
                i++;
            }
        }
        return in.peek(i) == '}';
    }

    private Quantifier count() {
        in.skip("{");
        int min = in.number(REPEAT_MAX, "number too big in {} quantifier");
        int max = min;
        if (in.skip(",")) {
            max = in.number(REPEAT_MAX, "number too big in {} quantifier");
        }
        in.skip("}");
        if (max != Node.UNLIMITED && max < min) {
            throw new InvalidRegex("numbers out of order in {} quantifier");
        }
        return new Quantifier(min, max);
    }

    // ---- one item

    /** Null for what is no item: a change of flags. */
    private @Nullable Node atom() {
        if (quoting) {
            return literal(in.next());
        }
        char c = in.peek();
        if (c == '*' || c == '+' || c == '?' || isCount()) {
            throw new InvalidRegex("quantifier does not follow a repeatable item");
        }
        if (c == '(') {
            return group();
        }
        if (c == '\\') {
            in.skip("\\");
            return escape();
        }
        if (in.startsWith("[[:<:]]") || in.startsWith("[[:>:]]")) {
            return wordEdge(in.skip("[[:<:]]"));
        }
        int next = in.next();
        return switch (next) {
            case '[' -> new Node.OneOf(new ClassParser(in, has(UNICODE), has(IGNORE_CASE), has(EXTENDED_MORE)).parse());
            case '.' -> new Node.OneOf(has(DOT_ALL) ? CharSet.ALL : CharSet.ALL_BUT_NEWLINE);
            case '^' -> new Node.At(has(MULTILINE) ? Place.LINE_START : Place.TEXT_START);
            case '$' -> new Node.At(has(MULTILINE) ? Place.LINE_END : Place.TEXT_END_OR_LAST_NEWLINE);
            default -> literal(next);
        };
    }

    /** At an edge where a word begins, or ends. */
    private Node wordEdge(boolean begins) {
        if (!begins) {
            in.skip("[[:>:]]");
        }
        Node word = new Node.OneOf(CharSet.of(has(UNICODE) ? Classes::isUnicodeWord : Classes::isWord));
        return new Node.Sequence(List.of(new Node.At(edge(true)), new Node.Look(begins, false, word)));
    }

    private Place edge(boolean edge) {
        if (has(UNICODE)) {
            return edge ? Place.UNICODE_WORD_EDGE : Place.NO_UNICODE_WORD_EDGE;
        }
        return edge ? Place.WORD_EDGE : Place.NO_WORD_EDGE;
    }

    private Node literal(int c) {
        if (has(IGNORE_CASE)) {
            int folded = Case.fold(c);
            if (folded != c || Case.upper(c) != c || Case.lower(c) != c || Case.title(c) != c) {
                return new Node.OneOf(CharSet.of(other -> Case.fold(other) == folded));
            }
        }
        return new Node.Literal(c);
    }

    private Node escape() {
        char c = in.peek();
        if (c >= '1' && c <= '9') {
            return backReferenceOrOctal();
        }
        Node place = place(c);
        if (place != null) {
            in.next();
            return place;
        }
        return switch (c) {
            case 'g' -> behindG();
            case 'k' -> {
                in.next();
                yield backReference(
                        named(bracketed("\\k is not followed by a braced, angle-bracketed, or quoted name")));
            }
            case 'N' -> {
                if (in.startsWith("N{") && !in.startsWith("N{U+") && !countAt(1)) {
                    throw new InvalidRegex("PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u");
                }
                yield in.startsWith("N{U+") ? plainEscape() : noNewline();
            }
            default -> plainEscape();
        };
    }

    private boolean countAt(int ahead) {
        int before = in.position();
        in.position(before + ahead);
        boolean count = isCount();
        in.position(before);
        return count;
    }

    private Node noNewline() {
        in.next();
        return new Node.OneOf(CharSet.ALL_BUT_NEWLINE);
    }

    private Node plainEscape() {
        Found found = escapes.read(has(UNICODE));
        IntPredicate set = found.set();
        return set == null ? literal(found.codePoint()) : new Node.OneOf(CharSet.of(set));
    }

    private @Nullable Node place(char c) {
        return switch (c) {
            case 'A' -> new Node.At(Place.TEXT_START);
            case 'z' -> new Node.At(Place.TEXT_END);
            case 'Z' -> new Node.At(Place.TEXT_END_OR_LAST_NEWLINE);
            case 'G' -> new Node.At(Place.SEARCH_START);
            case 'b' -> new Node.At(edge(true));
            case 'B' -> new Node.At(edge(false));
            case 'R' -> ANY_NEWLINE;
            case 'X' -> new Node.Grapheme();
            case 'K' -> {
                if (assertions > 0) {
                    throw new InvalidRegex(
                            "\\K is not allowed in lookarounds (but see PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK)");
                }
                yield new Node.Keep();
            }
            case 'C' -> throw new InvalidRegex("using \\C is disabled by the application");
            default -> null;
        };
    }

    // ---- references

    private Node backReferenceOrOctal() {
        int start = in.position();
        char first = in.peek();
        int digits = 0;
        while (Scanner.isDigit(in.peek(digits))) {
            digits++;
        }
        int number = digits > 5 ? NUMBER_MAX + 1 : in.number(NUMBER_MAX + 1, "number is too big");
        if (number < 10 || first >= '8' || number <= groups) {
            if (number > NUMBER_MAX) {
                throw new InvalidRegex("number is too big");
            }
            return backReference(new Reference(number, null));
        }
        in.position(start);
        return literal(in.digits(8, 3));
    }

    private Node backReference(Reference reference) {
        return new Node.BackReference(reference, has(IGNORE_CASE));
    }

    private static Reference named(String name) {
        return new Reference(0, name);
    }

    /** {@code \g{2} \g{-1} \g{name} \g2} are references, {@code \g<2> \g'name'} calls. */
    private Node behindG() {
        in.next();
        char c = in.peek();
        if (c == '<' || c == '\'') {
            String text = bracketed("a numbered reference must not be zero");
            return new Node.Call(reference(text));
        }
        if (in.skip("{")) {
            Reference reference = reference(in.until("}", MALFORMED_G));
            return backReference(notWhole(reference));
        }
        boolean minus = in.skip("-");
        boolean plus = !minus && in.skip("+");
        int number = in.number(NUMBER_MAX, "number is too big");
        if (number < 0) {
            throw new InvalidRegex(MALFORMED_G);
        }
        return backReference(notWhole(minus || plus ? relative(number, minus) : new Reference(number, null)));
    }

    private static final String MALFORMED_G =
            "a relative value of zero is not allowed or \\g is not followed by a braced, angle-bracketed, or quoted"
                    + " name/number or by a plain number";

    private static Reference notWhole(Reference reference) {
        if (reference.name() == null && reference.number() == 0) {
            throw new InvalidRegex("a numbered reference must not be zero");
        }
        return reference;
    }

    /** A number, a number with a sign, or a name. */
    private Reference reference(String text) {
        boolean minus = text.startsWith("-");
        boolean signed = minus || text.startsWith("+");
        String digits = signed ? text.substring(1) : text;
        if (!digits.isEmpty() && digits.length() <= 5 && digits.chars().allMatch(c -> Scanner.isDigit((char) c))) {
            int number = Integer.parseInt(digits);
            return signed ? relative(number, minus) : new Reference(number, null);
        }
        return named(checkedName(text));
    }

    private Reference relative(int distance, boolean back) {
        int number = back ? groups - distance + 1 : groups + distance;
        if (distance == 0 || number < 1) {
            throw new InvalidRegex("reference to non-existent subpattern");
        }
        return new Reference(number, null);
    }

    /** What stands in {@code <> '' {}}. */
    private String bracketed(String orElse) {
        if (in.skip("<")) {
            return in.until(">", "syntax error in subpattern name (missing terminator?)");
        }
        if (in.skip("'")) {
            return in.until("'", "syntax error in subpattern name (missing terminator?)");
        }
        if (in.skip("{")) {
            return in.until("}", "syntax error in subpattern name (missing terminator?)");
        }
        throw new InvalidRegex(orElse);
    }

    private static String checkedName(String name) {
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
            throw new InvalidRegex("syntax error in subpattern name (missing terminator?)");
        }
        return name;
    }

    // ---- (...)

    private @Nullable Node group() {
        in.skip("(");
        if (in.peek() == '*') {
            return verb();
        }
        if (!in.skip("?")) {
            return has(NO_AUTO_CAPTURE) ? inside(this::choice) : capture(null);
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
            return capture(checkedName(bracketed("subpattern name expected")));
        }
        if (Scanner.isDigit(c) || ((c == '+' || c == '-') && Scanner.isDigit(in.peek(1)))) {
            return new Node.Call(reference(in.until(")", UNFINISHED_CALL)));
        }
        if (in.atEnd()) {
            throw new InvalidRegex("unrecognized character after (? or (?-");
        }
        return switch (c) {
            case ':' -> skipAnd(() -> inside(this::choice));
            case '|' -> skipAnd(() -> inside(() -> new Node.Choice(branches(true))));
            case '>' -> skipAnd(() -> new Node.Atomic(inside(this::choice)));
            case '=' -> skipAnd(() -> look(true, false));
            case '!' -> skipAnd(() -> look(true, true));
            case '(' -> skipAnd(this::conditional);
            case 'R' -> {
                in.next();
                close("(?R (recursive pattern call) must be followed by a closing parenthesis");
                yield new Node.Call(new Reference(0, null));
            }
            case '&' -> {
                in.next();
                yield new Node.Call(named(checkedName(in.until(")", UNFINISHED_CALL))));
            }
            case 'C' -> {
                in.until(")", "closing parenthesis for (?C expected");
                yield EMPTY;
            }
            default -> flags();
        };
    }

    private static final String UNFINISHED_CALL = "missing closing parenthesis";

    private interface Part {
        Node read();
    }

    private Node skipAnd(Part rest) {
        in.next();
        return rest.read();
    }

    /** A group's content and its closing parenthesis; flags end with it. */
    private Node inside(Part content) {
        int before = flags;
        Node node = content.read();
        flags = before;
        close("missing closing parenthesis");
        return node;
    }

    private void close(String orElse) {
        if (!in.skip(")")) {
            throw new InvalidRegex(orElse);
        }
    }

    private Node capture(@Nullable String name) {
        int group = ++groups;
        if (group > NUMBER_MAX) {
            throw new InvalidRegex("too many capturing groups (maximum 65535)");
        }
        if (name != null) {
            name(group, name);
        }
        open.push(group);
        Node node = new Node.Capture(group, inside(this::choice));
        open.pop();
        bodies.put(group, node);
        return node;
    }

    private void name(int group, String name) {
        List<Integer> same = names.computeIfAbsent(name, any -> new ArrayList<>());
        if (!same.isEmpty() && !same.contains(group) && !has(DUPLICATE_NAMES)) {
            throw new InvalidRegex("two named subpatterns have the same name (PCRE2_DUPNAMES not set)");
        }
        if (!same.contains(group)) {
            same.add(group);
        }
    }

    private Node pythonStyle() {
        if (in.peek() == '<') {
            return capture(checkedName(bracketed("subpattern name expected")));
        }
        if (in.skip("=")) {
            return backReference(named(checkedName(in.until(")", UNFINISHED_CALL))));
        }
        if (in.skip(">")) {
            return new Node.Call(named(checkedName(in.until(")", UNFINISHED_CALL))));
        }
        throw new InvalidRegex("unrecognized character after (?P");
    }

    private Node.Look look(boolean ahead, boolean negative) {
        assertions++;
        Node body = inside(this::choice);
        assertions--;
        return new Node.Look(ahead, negative, body);
    }

    // ---- (?imsx-imsx)

    private @Nullable Node flags() {
        int before = flags;
        boolean on = true;
        if (in.skip("^")) {
            flags &= ~(IGNORE_CASE | MULTILINE | DOT_ALL | EXTENDED | EXTENDED_MORE | NO_AUTO_CAPTURE);
        }
        while (true) {
            if (in.skip(")")) {
                return null;
            }
            if (in.skip(":")) {
                int changed = flags;
                flags = before;
                return inside(() -> {
                    flags = changed;
                    return choice();
                });
            }
            if (on && in.skip("-")) {
                on = false;
            } else {
                int bits = flag();
                flags = on ? flags | bits : flags & ~bits;
            }
        }
    }

    private int flag() {
        if (in.skip("xx")) {
            return EXTENDED | EXTENDED_MORE;
        }
        return switch (in.atEnd() ? 0 : in.next()) {
            case 'i' -> IGNORE_CASE;
            case 'm' -> MULTILINE;
            case 's' -> DOT_ALL;
            case 'x' -> EXTENDED;
            case 'n' -> NO_AUTO_CAPTURE;
            case 'J' -> DUPLICATE_NAMES;
            case 'U' -> SWAPS_GREED;
            default -> throw new InvalidRegex("unrecognized character after (? or (?-");
        };
    }

    // ---- (?(condition)then|otherwise)

    private Node conditional() {
        Condition condition = condition();
        boolean defines = condition instanceof Condition.Define;
        int before = assertions;
        assertions += defines ? 1 : 0;
        int flagsBefore = flags;
        List<Node> branches = branches(false);
        flags = flagsBefore;
        assertions = before;
        close("missing closing parenthesis");
        if (defines && branches.size() > 1) {
            throw new InvalidRegex("DEFINE subpattern contains more than one branch");
        }
        if (branches.size() > 2) {
            throw new InvalidRegex("conditional subpattern contains more than two branches");
        }
        return new Node.Conditional(condition, branches.getFirst(), branches.size() == 2 ? branches.get(1) : EMPTY);
    }

    /** Behind the second parenthesis. */
    private Condition condition() {
        for (var kind : List.of("?=", "?!", "?<=", "?<!", "*pla:", "*nla:", "*plb:", "*nlb:")) {
            if (in.skip(kind)) {
                boolean ahead = kind.startsWith("?") ? kind.length() == 2 : kind.charAt(3) == 'a';
                boolean negative = kind.contains("!") || kind.startsWith("*n");
                return new Condition.Assertion(look(ahead, negative));
            }
        }
        char c = in.peek();
        if (c == '?' || c == '*') {
            throw new InvalidRegex("assertion expected after (?( or (?(?C)");
        }
        if (c == '<' || c == '\'') {
            Reference reference = named(checkedName(bracketed("subpattern name expected")));
            close(UNFINISHED_CONDITION);
            return new Condition.IsSet(reference);
        }
        String text = in.until(")", UNFINISHED_CONDITION);
        if (text.equals("DEFINE") && !names.containsKey("DEFINE")) {
            return new Condition.Define();
        }
        if (text.startsWith("R&")) {
            return new Condition.InCall(named(checkedName(text.substring(2))));
        }
        if (text.equals("R") && !names.containsKey("R")) {
            return new Condition.InCall(null);
        }
        if (text.matches("R\\d{1,5}") && !names.containsKey(text)) {
            return new Condition.InCall(new Reference(Integer.parseInt(text.substring(1)), null));
        }
        return new Condition.IsSet(notWhole(reference(text)));
    }

    private static final String UNFINISHED_CONDITION = "missing closing parenthesis for condition";

    // ---- (*VERB)

    private Node verb() {
        for (var word : ASSERTIONS.entrySet()) {
            if (in.skip(word.getKey())) {
                return word.getValue().read(this);
            }
        }
        String text = in.until(")", "(*VERB) not recognized or malformed").substring(1);
        int colon = text.indexOf(':');
        String name = colon < 0 ? text : text.substring(0, colon);
        boolean named = colon >= 0 && colon + 1 < text.length();
        return switch (name) {
            case "FAIL", "F" -> NEVER;
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
                yield EMPTY;
            }
            case "THEN" -> throw new InvalidRegex("(*THEN) is not supported");
            default -> throw new InvalidRegex("(*VERB) not recognized or malformed");
        };
    }

    private interface Assertion {
        Node read(Parser parser);
    }

    private static final Map<String, Assertion> ASSERTIONS = Map.of(
            "*pla:", parser -> parser.look(true, false),
            "*positive_lookahead:", parser -> parser.look(true, false),
            "*nla:", parser -> parser.look(true, true),
            "*negative_lookahead:", parser -> parser.look(true, true),
            "*plb:", parser -> parser.look(false, false),
            "*positive_lookbehind:", parser -> parser.look(false, false),
            "*nlb:", parser -> parser.look(false, true),
            "*negative_lookbehind:", parser -> parser.look(false, true),
            "*atomic:", parser -> new Node.Atomic(parser.inside(parser::choice)));

    private Node control(Verb verb) {
        if (assertions > 0) {
            throw new InvalidRegex("(*" + verb + ") within an assertion is not supported");
        }
        return new Node.Control(verb);
    }

    /** Closes the groups that are open, and ends the match. */
    private Node accept() {
        control(Verb.ACCEPT);
        List<Node> parts = new ArrayList<>();
        open.forEach(group -> parts.add(new Node.Close(group)));
        parts.add(new Node.Control(Verb.ACCEPT));
        return new Node.Sequence(List.copyOf(parts));
    }
}

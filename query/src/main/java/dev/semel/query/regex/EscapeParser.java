package dev.semel.query.regex;

import dev.semel.query.regex.Escapes.Found;
import dev.semel.query.regex.Node.Place;
import dev.semel.query.regex.Node.Reference;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Reads what begins with a backslash outside a class. */
final class EscapeParser {
    private static final Node ANY_NEWLINE = anyNewline();

    private static final String MALFORMED_G =
            "a relative value of zero is not allowed or \\g is not followed by a braced, angle-bracketed, or quoted"
                    + " name/number or by a plain number";

    private final ParserState state;
    private final Scanner in;
    private final Groups groups;
    private final References references;
    private final Quantifiers quantifiers;
    private final Literals literals;
    private final Escapes escapes;

    EscapeParser(ParserState state, References references, Quantifiers quantifiers, Literals literals) {
        this.state = state;
        this.in = state.in;
        this.groups = state.groups;
        this.references = references;
        this.quantifiers = quantifiers;
        this.literals = literals;
        this.escapes = new Escapes(state.in);
    }

    /** Behind the backslash. */
    Node parse() {
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
                yield backReference(References.named(
                        references.bracketed("\\k is not followed by a braced, angle-bracketed, or quoted name")));
            }
            case 'N' -> {
                if (in.startsWith("N{") && !in.startsWith("N{U+") && !quantifiers.isCount(1)) {
                    throw new InvalidRegex("PCRE2 does not support \\F, \\L, \\l, \\N{name}, \\U, or \\u");
                }
                yield in.startsWith("N{U+") ? plainEscape() : noNewline();
            }
            default -> plainEscape();
        };
    }

    private Node noNewline() {
        in.next();
        return new Node.OneOf(CharSet.ALL_BUT_NEWLINE);
    }

    private Node plainEscape() {
        Found found = escapes.read(state.has(Flags.UNICODE));
        IntPredicate set = found.set();
        return set == null ? literals.of(found.codePoint()) : new Node.OneOf(CharSet.of(set));
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
                if (state.assertions > 0) {
                    throw new InvalidRegex(
                            "\\K is not allowed in lookarounds (but see PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK)");
                }
                yield new Node.Keep();
            }
            case 'C' -> throw new InvalidRegex("using \\C is disabled by the application");
            default -> null;
        };
    }

    private static Node anyNewline() {
        Node pair = new Node.Sequence(List.of(new Node.Literal('\r'), new Node.Literal('\n')));
        Node one = new Node.OneOf(CharSet.of(Classes::isVerticalSpace));
        return new Node.Atomic(new Node.Choice(List.of(pair, one)));
    }

    Place edge(boolean edge) {
        if (state.has(Flags.UNICODE)) {
            return edge ? Place.UNICODE_WORD_EDGE : Place.NO_UNICODE_WORD_EDGE;
        }
        return edge ? Place.WORD_EDGE : Place.NO_WORD_EDGE;
    }

    private Node backReferenceOrOctal() {
        int start = in.position();
        char first = in.peek();
        int digits = 0;
        while (Scanner.isDigit(in.peek(digits))) {
            digits++;
        }
        int number = digits > 5 ? Groups.NUMBER_MAX + 1 : in.number(Groups.NUMBER_MAX + 1, "number is too big");
        if (number < 10 || first >= '8' || number <= groups.count()) {
            if (number > Groups.NUMBER_MAX) {
                throw new InvalidRegex("number is too big");
            }
            return backReference(new Reference(number, null));
        }
        in.position(start);
        return literals.of(in.digits(8, 3));
    }

    /** {@code \g{2} \g{-1} \g{name} \g2} are references, {@code \g<2> \g'name'} calls. */
    private Node behindG() {
        in.next();
        char c = in.peek();
        if (c == '<' || c == '\'') {
            String text = references.bracketed("a numbered reference must not be zero");
            return new Node.Call(references.parse(text));
        }
        if (in.skip("{")) {
            Reference reference = references.parse(in.until("}", MALFORMED_G));
            return backReference(References.notWhole(reference));
        }
        boolean minus = in.skip("-");
        boolean plus = !minus && in.skip("+");
        int number = in.number(Groups.NUMBER_MAX, "number is too big");
        if (number < 0) {
            throw new InvalidRegex(MALFORMED_G);
        }
        return backReference(
                References.notWhole(minus || plus ? references.relative(number, minus) : new Reference(number, null)));
    }

    Node backReference(Reference reference) {
        return new Node.BackReference(reference, state.has(Flags.IGNORE_CASE));
    }
}

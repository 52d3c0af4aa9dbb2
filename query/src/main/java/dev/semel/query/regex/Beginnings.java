package dev.semel.query.regex;

import dev.semel.query.regex.Node.Greed;
import dev.semel.query.regex.Node.Place;
import dev.semel.query.regex.Program.Anchor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** With what a match must begin, so that most places of a text need not be tried. */
final class Beginnings {
    private final Parsed pattern;
    private final boolean isPlain;

    Beginnings(Parsed pattern) {
        this.pattern = pattern;
        this.isPlain = isPlain(pattern.root());
    }

    /** Nothing in it depends on how it came to be where it is. */
    private static boolean isPlain(Node node) {
        return switch (node) {
            case Node.Sequence(List<Node> parts) -> parts.stream().allMatch(Beginnings::isPlain);
            case Node.Choice(List<Node> branches) -> branches.stream().allMatch(Beginnings::isPlain);
            case Node.Repeat(Node body, int min, int max, var greed) -> isPlain(body);
            case Node.Capture(int group, Node body) -> isPlain(body);
            case Node.Atomic(Node body) -> isPlain(body);
            case Node.Look(boolean ahead, boolean negative, Node body) -> isPlain(body);
            case Node.Literal ignored -> true;
            case Node.OneOf ignored -> true;
            case Node.At(Place place) -> place != Place.SEARCH_START;
            case Node.Grapheme ignored -> true;
            case Node.BackReference ignored -> false;
            case Node.Call ignored -> false;
            case Node.Conditional ignored -> false;
            case Node.Keep ignored -> false;
            case Node.Control ignored -> false;
            case Node.Close ignored -> false;
        };
    }

    Anchor anchor() {
        return isPlain ? anchor(pattern.root()) : Anchor.NONE;
    }

    private static Anchor anchor(Node node) {
        return switch (node) {
            case Node.Sequence(List<Node> parts) when !parts.isEmpty() -> anchor(parts.getFirst());
            case Node.Capture(int group, Node body) -> anchor(body);
            case Node.Choice(List<Node> branches) ->
                branches.stream().map(Beginnings::anchor).min(Enum::compareTo).orElse(Anchor.NONE);
            case Node.At(Place place) when place == Place.TEXT_START -> Anchor.TEXT;
            case Node.At(Place place) when place == Place.LINE_START -> Anchor.LINE;
            // What begins with anything matches from the beginning of the line, if it matches from further on.
            case Node.Repeat(Node.OneOf(CharSet set), int min, int max, Greed greed)
            when set == CharSet.ALL_BUT_NEWLINE && min == 0 && max == Node.UNLIMITED && greed != Greed.POSSESSIVE ->
                Anchor.LINE;
            default -> Anchor.NONE;
        };
    }

    String prefix() {
        if (!(isPlain && pattern.root() instanceof Node.Sequence(List<Node> parts))) {
            return isPlain && pattern.root() instanceof Node.Literal(int c) ? Character.toString(c) : "";
        }
        StringBuilder prefix = new StringBuilder();
        for (Node part : parts) {
            if (!(part instanceof Node.Literal(int c))) {
                break;
            }
            prefix.appendCodePoint(c);
        }
        return prefix.toString();
    }

    @Nullable
    CharSet first() {
        return isPlain ? first(pattern.root()) : null;
    }

    /** What every match begins with any number of; null if there is a limit, or something else. */
    @Nullable
    CharSet run() {
        return isPlain ? run(pattern.root()) : null;
    }

    private static @Nullable CharSet run(Node node) {
        return switch (node) {
            case Node.Sequence(List<Node> parts) when !parts.isEmpty() -> run(parts.getFirst());
            case Node.Capture(int group, Node body) -> run(body);
            case Node.Repeat(Node.OneOf(CharSet set), int min, int max, var greed) when max == Node.UNLIMITED -> set;
            default -> null;
        };
    }

    private static @Nullable CharSet first(Node node) {
        return switch (node) {
            case Node.Literal(int c) -> CharSet.of(any -> any == c);
            case Node.OneOf(CharSet set) -> set;
            case Node.Sequence(List<Node> parts) -> firstOf(parts);
            case Node.Choice(List<Node> branches) -> union(branches);
            case Node.Repeat(Node body, int min, int max, var greed) -> min == 0 ? null : first(body);
            case Node.Capture(int group, Node body) -> first(body);
            case Node.Atomic(Node body) -> first(body);
            default -> null;
        };
    }

    private static @Nullable CharSet firstOf(List<Node> parts) {
        for (Node part : parts) {
            if (!(part instanceof Node.At || part instanceof Node.Look)) {
                return first(part);
            }
        }
        return null;
    }

    private static @Nullable CharSet union(List<Node> branches) {
        CharSet[] all = new CharSet[branches.size()];
        for (int i = 0; i < all.length; i++) {
            CharSet one = first(branches.get(i));
            if (one == null) {
                return null;
            }
            all[i] = one;
        }
        return CharSet.of(c -> {
            for (CharSet each : all) {
                if (each.contains(c)) {
                    return true;
                }
            }
            return false;
        });
    }
}

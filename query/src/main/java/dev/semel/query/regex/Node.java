package dev.semel.query.regex;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A parsed regular expression. Flags are resolved: a node says what it matches, whatever stands around it. */
sealed interface Node {
    /** Matches nothing, anywhere. */
    Node EMPTY = new Sequence(List.of());

    record Sequence(List<Node> parts) implements Node {}

    record Choice(List<Node> branches) implements Node {}

    /** One character. */
    record Literal(int codePoint) implements Node {}

    /** One character of a set. */
    record OneOf(CharSet set) implements Node {}

    /**
     * The same again and again.
     *
     * @param max {@link #UNLIMITED} for any number
     */
    record Repeat(Node body, int min, int max, Greed greed) implements Node {}

    record Capture(int group, Node body) implements Node {}

    record Atomic(Node body) implements Node {}

    record Look(boolean ahead, boolean negative, Node body) implements Node {}

    record At(Place place) implements Node {}

    record BackReference(Reference group, boolean ignoresCase) implements Node {}

    /** Matches what a group matches: recursion, or a subroutine. Group 0 is the whole expression. */
    record Call(Reference group) implements Node {}

    record Conditional(Condition condition, Node then, Node otherwise) implements Node {}

    /** {@code \K}: what is reported begins here. */
    record Keep() implements Node {}

    /** {@code \X}: what a reader takes for one character. */
    record Grapheme() implements Node {}

    record Control(Verb verb) implements Node {}

    /** Ends a group before its end, for {@code (*ACCEPT)}. */
    record Close(int group) implements Node {}

    int UNLIMITED = -1;

    enum Greed {
        GREEDY,
        LAZY,
        POSSESSIVE
    }

    enum Place {
        TEXT_START,
        TEXT_END,
        TEXT_END_OR_LAST_NEWLINE,
        LINE_START,
        LINE_END,
        WORD_EDGE,
        NO_WORD_EDGE,
        UNICODE_WORD_EDGE,
        NO_UNICODE_WORD_EDGE,
        SEARCH_START
    }

    enum Verb {
        FAIL,
        ACCEPT,
        COMMIT,
        PRUNE,
        SKIP
    }

    /** A group by number, or by a name that may be given further on. */
    record Reference(int number, @Nullable String name) {}

    sealed interface Condition {
        record IsSet(Reference group) implements Condition {}

        /**
         * Whether a group is being called.
         *
         * @param group the one; null for any
         */
        record InCall(@Nullable Reference group) implements Condition {}

        /** Never: the branch only defines groups for others to call. */
        record Define() implements Condition {}

        record Assertion(Look look) implements Condition {}
    }
}

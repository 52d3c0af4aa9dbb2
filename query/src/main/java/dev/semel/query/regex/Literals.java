package dev.semel.query.regex;

/** Characters that stand for themselves, or for themselves in any case. */
record Literals(ParserState state) {
    Node of(int c) {
        if (state.has(Flags.IGNORE_CASE)) {
            int folded = Case.fold(c);
            if (folded != c || Case.upper(c) != c || Case.lower(c) != c || Case.title(c) != c) {
                return new Node.OneOf(CharSet.of(other -> Case.fold(other) == folded));
            }
        }
        return new Node.Literal(c);
    }
}

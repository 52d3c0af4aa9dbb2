package dev.semel.query.script;

import org.jspecify.annotations.Nullable;
import org.mozilla.javascript.ConsString;

/** A string of parts, counted when somebody asks for its characters: adding to the end of a string takes little memory. */
final class Rope implements CharSequence {
    private final ConsString parts;
    private final Allowance allowance;
    private @Nullable String whole;

    Rope(ConsString parts, Allowance allowance) {
        this.parts = parts;
        this.allowance = allowance;
    }

    /** What to build a longer string of. */
    static Object parts(Object value) {
        return value instanceof Rope rope ? rope.parts : value;
    }

    @Override
    public int length() {
        return parts.length();
    }

    @Override
    public char charAt(int index) {
        return toString().charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return toString().subSequence(start, end);
    }

    @Override
    public String toString() {
        String known = whole;
        if (known == null) {
            allowance.charge(2L * length());
            known = parts.toString();
            whole = known;
        }
        return known;
    }
}

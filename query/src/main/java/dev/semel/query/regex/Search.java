package dev.semel.query.regex;

import org.jspecify.annotations.Nullable;

/** Finds one match after another in a text. Belongs to one thread. */
public final class Search {
    private final Program program;
    private final String text;
    private final Machine machine;
    private int next;

    Search(Program program, String text, Runnable checkpoint) {
        this.program = program;
        this.text = text;
        this.machine = new Machine(program, text, checkpoint);
    }

    /** Whether there is another one. */
    public boolean find() {
        if (next > text.length() || !machine.find(next)) {
            next = text.length() + 1;
            return false;
        }
        // One that is empty would be found again and again.
        next = end() > start() ? end() : after(end());
        return true;
    }

    private int after(int position) {
        return position < text.length() ? text.offsetByCodePoints(position, 1) : position + 1;
    }

    /** Whether the search for another one would begin at the end of the text. */
    public boolean isAtEnd() {
        return next >= text.length();
    }

    public int start() {
        return machine.register(0);
    }

    public int end() {
        return machine.register(1);
    }

    /** How many groups there are, without the whole. */
    public int groups() {
        return program.groups();
    }

    /** What the group has matched; null if it has not. Group 0 is the whole. */
    public @Nullable String group(int group) {
        int start = machine.register(2 * group);
        int end = machine.register(2 * group + 1);
        return start < 0 || end < start ? null : text.substring(start, end);
    }
}

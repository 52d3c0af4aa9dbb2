package dev.semel.query.regex;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link Machine} runs.
 *
 * @param registers begin with start and end of each group, the whole being group 0
 * @param prefix what every match begins with
 * @param first what every match begins with one of; null if a match may be empty, or that is not known
 * @param run what every match begins with any number of; null if it begins otherwise
 */
record Program(
        int[] code,
        CharSet[] sets,
        String[] strings,
        int[][] lists,
        int registers,
        int groups,
        Anchor anchor,
        String prefix,
        @Nullable CharSet first,
        @Nullable CharSet run) {

    /** Where a match can begin. */
    enum Anchor {
        NONE,
        LINE,
        TEXT
    }
}

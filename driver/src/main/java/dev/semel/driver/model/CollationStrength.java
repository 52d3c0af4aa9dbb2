package dev.semel.driver.model;

import java.util.Arrays;

/** Which differences between strings are significant. */
public enum CollationStrength {
    PRIMARY(1),
    SECONDARY(2),
    TERTIARY(3),
    QUATERNARY(4),
    IDENTICAL(5);

    private final int level;

    CollationStrength(int level) {
        this.level = level;
    }

    public int getIntRepresentation() {
        return level;
    }

    /** The one of this level; an {@link IllegalArgumentException} if there is none. */
    public static CollationStrength fromInt(int level) {
        return Arrays.stream(values())
                .filter(each -> each.level == level)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(level + " is not a strength between 1 and 5"));
    }
}

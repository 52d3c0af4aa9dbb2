package dev.semel.driver.model;

/** Whether white space and punctuation are compared. */
public enum CollationAlternate {
    NON_IGNORABLE("non-ignorable"),
    SHIFTED("shifted");

    private final String value;

    CollationAlternate(String value) {
        this.value = value;
    }

    /** The name in the protocol. */
    public String getValue() {
        return value;
    }

    /** The constant with this name in the protocol; an {@link IllegalArgumentException} if there is none. */
    public static CollationAlternate fromString(String value) {
        return Labels.named(values(), CollationAlternate::getValue, value);
    }
}

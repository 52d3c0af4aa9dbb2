package dev.semel.driver.model;

/** Which of two strings that differ in case comes first. */
public enum CollationCaseFirst {
    UPPER("upper"),
    LOWER("lower"),
    OFF("off");

    private final String value;

    CollationCaseFirst(String value) {
        this.value = value;
    }

    /** The name in the protocol. */
    public String getValue() {
        return value;
    }

    /** The constant with this name in the protocol; an {@link IllegalArgumentException} if there is none. */
    public static CollationCaseFirst fromString(String value) {
        return Labels.named(values(), CollationCaseFirst::getValue, value);
    }
}

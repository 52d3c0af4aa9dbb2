package dev.semel.driver.model;

/** What does not count where {@link CollationAlternate#SHIFTED} is set. */
public enum CollationMaxVariable {
    PUNCT("punct"),
    SPACE("space");

    private final String value;

    CollationMaxVariable(String value) {
        this.value = value;
    }

    /** The name on the wire. */
    public String getValue() {
        return value;
    }

    /** The one with this name on the wire; an {@link IllegalArgumentException} if there is none. */
    public static CollationMaxVariable fromString(String value) {
        return Labels.named(values(), CollationMaxVariable::getValue, value);
    }
}

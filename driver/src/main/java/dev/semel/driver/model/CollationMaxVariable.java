package dev.semel.driver.model;

/** Which characters {@link CollationAlternate#SHIFTED} ignores. */
public enum CollationMaxVariable {
    PUNCT("punct"),
    SPACE("space");

    private final String value;

    CollationMaxVariable(String value) {
        this.value = value;
    }

    /** The name in the protocol. */
    public String getValue() {
        return value;
    }

    /** The constant with this name in the protocol; an {@link IllegalArgumentException} if there is none. */
    public static CollationMaxVariable fromString(String value) {
        return Labels.named(values(), CollationMaxVariable::getValue, value);
    }
}

package dev.semel.driver.model;

/** What happens to a document that the validator rejects. */
public enum ValidationAction {
    ERROR("error"),
    WARN("warn");

    private final String value;

    ValidationAction(String value) {
        this.value = value;
    }

    /** The name in the protocol. */
    public String getValue() {
        return value;
    }

    /** The constant with this name in the protocol; an {@link IllegalArgumentException} if there is none. */
    public static ValidationAction fromString(String value) {
        return Labels.named(values(), ValidationAction::getValue, value);
    }
}

package dev.semel.driver.model;

/** What becomes of a document that the validator refuses. */
public enum ValidationAction {
    ERROR("error"),
    WARN("warn");

    private final String value;

    ValidationAction(String value) {
        this.value = value;
    }

    /** The name on the wire. */
    public String getValue() {
        return value;
    }

    /** The one with this name on the wire; an {@link IllegalArgumentException} if there is none. */
    public static ValidationAction fromString(String value) {
        return Labels.named(values(), ValidationAction::getValue, value);
    }
}

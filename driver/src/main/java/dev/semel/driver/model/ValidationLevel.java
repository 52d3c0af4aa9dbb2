package dev.semel.driver.model;

/** Which writes a validator judges. */
public enum ValidationLevel {
    OFF("off"),
    STRICT("strict"),
    MODERATE("moderate");

    private final String value;

    ValidationLevel(String value) {
        this.value = value;
    }

    /** The name on the wire. */
    public String getValue() {
        return value;
    }

    /** The one with this name on the wire; an {@link IllegalArgumentException} if there is none. */
    public static ValidationLevel fromString(String value) {
        return Labels.named(values(), ValidationLevel::getValue, value);
    }
}
